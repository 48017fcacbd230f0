import Authenticators
import BackendAPI
import Foundation
import JOSE
import Octets
import TestSupport
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// Two servers on one phone, each in turn hostile: whatever it says in any operation, what belongs to the other stays.
@Suite("D-H1, attack A-17: no server reaches what belongs to another")
struct HostileServersTests {
    /// `SIGNET_HOSTILE_HISTORIES`: how many histories are played.
    private static let histories = UInt64(SlowTests.size("SIGNET_HOSTILE_HISTORIES", sample: 2_000, whole: 10_000))
    private static let operationsPerHistory = 6

    /// Runs a machine to its end, at most so many steps.
    private func play<Machine: OperationMachine & ~Copyable>(
        _ fresh: consuming Machine, _ react: (Machine.Effect) -> Machine.Event
    ) -> Result<Machine.Output, Machine.Failure>? {
        var machine = fresh
        var step = machine.start()
        for _ in 0..<60 {
            switch step {
            case .perform(let effect): step = machine.resume(react(effect))
            case .finish(let result): return result
            }
        }
        return nil
    }

    private func register(_ phone: HostilePhone, _ received: RegistrationRequest?) {
        var parameters = RegistrationMachine<SDKValues>.Parameters(server: phone.speaker)
        parameters.username = phone.pick(["anna", "bert", "dora"])
        parameters.received = received.map { ReceivedRequest($0, expiry: nil) }
        parameters.deviceInformation = DeviceInformation(name: "phone")
        parameters.hasSelector = true
        parameters.enrollable = [.pin, .password, .fingerprint]
        _ = play(RegistrationMachine<SDKValues>(parameters)) { phone.react(to: $0) }
    }

    private func authenticate(_ phone: HostilePhone, _ subject: AuthenticationMachine<SDKValues>.Parameters.Subject) {
        var parameters = AuthenticationMachine<SDKValues>.Parameters()
        parameters.subject = subject
        parameters.hasSelector = true
        parameters.hasAccountSelector = true
        parameters.hasChannelLinker = true
        parameters.verifiable = [.pin, .password, .fingerprint]
        _ = play(AuthenticationMachine<SDKValues>(parameters)) { phone.react(to: $0) }
    }

    /// A user of the server that speaks, if it has one.
    private func ownUser(_ phone: HostilePhone) -> String? {
        let users = phone.device.registrations.map(\.username).filter {
            phone.device.home(of: $0)?.server == phone.speaker
        }
        return users.isEmpty ? nil : phone.pick(users).text
    }

    private func deregister(_ phone: HostilePhone) {
        guard let user = ownUser(phone) else { return }
        var parameters = DeregistrationMachine.Parameters()
        parameters.username = user
        parameters.authorization = phone.chance.oncePer(3) ? .device : .absent
        _ = play(DeregistrationMachine(parameters)) { phone.react(to: $0) }
    }

    private func redeem(_ phone: HostilePhone) {
        redeem(phone, phone.payload)
    }

    private func redeem(_ phone: HostilePhone, _ payload: OutOfBandEnvelope) {
        var parameters = OutOfBandMachine<SDKValues>.Parameters(server: phone.servers[0])
        parameters.content = payload.content
        let result = play(OutOfBandMachine<SDKValues>(parameters)) { phone.react(to: $0) }
        guard case .success(let outcome)? = result else { return }
        switch outcome {
        case .registration(let request, _): register(phone, request)
        case .authentication(let request, let redemption):
            authenticate(phone, .anyUser(request, expiry: nil, redemption.server))
        case .deregistered: break
        }
    }

    /// The application lets everything be mended that the hostile server made it find.
    private func synchronize(_ phone: HostilePhone) throws {
        var round = ServerFanOut<DeviceCredentials>()
        round.device = phone.device
        guard let signer = phone.device.targets(at: phone.speaker).first else { return }
        round.answers = [.init(signer: signer, body: try phone.report())]
        let found = round.answers.map { DeviceComparison(phone.device, $0.signer.server, $0.body) }
        let plan = DeviceRepairPlan(found.flatMap(\.mismatches), round)
        for repair in plan.repairs {
            switch repair {
            case .removeHere(let ids, _): phone.remove(ids)
            case .changeHere(let changes, _): phone.change(changes)
            case .removeThere(_, _, let signer): #expect(signer.server == phone.speaker)
            case .changeThere(let target, _): #expect(target.server == phone.speaker)
            }
        }
    }

    /// The phone asks every server what waits, and does what the hostile one says.
    private func fetchPending(_ phone: HostilePhone) {
        guard case .success(let round)? = play(ServerFanOutMachine<PendingOperations>(), { phone.react(to: $0) }) else {
            return
        }
        for answer in round.answers {
            #expect(answer.signer.server == phone.speaker)
            for entry in answer.body.entries { redeem(phone, entry.payload) }
        }
    }

    /// Whatever the hostile server answers, the other one hears of the change once for each of its records.
    private func changeInformation(_ phone: HostilePhone) {
        var parameters = DeviceInformationChangeMachine.Parameters()
        parameters.name = "another name"
        parameters.push = phone.pick([nil, .token(Sensitive("t")), .disabled])
        let records = phone.device.targets.filter { $0.server == phone.other }
        phone.told = []
        _ = play(DeviceInformationChangeMachine(parameters)) { phone.react(to: $0) }
        #expect(phone.told.filter { $0.server == phone.other } == records)
    }

    private func operate(_ phone: HostilePhone) throws {
        switch Int.random(in: 0...7, using: &phone.chance) {
        case 0: register(phone, nil)
        case 1: authenticate(phone, .anyUser(phone.authentication, expiry: nil, phone.speaker))
        case 2: if let user = ownUser(phone) { authenticate(phone, .user(user)) }
        case 3: deregister(phone)
        case 4: redeem(phone)
        case 5: fetchPending(phone)
        case 6: changeInformation(phone)
        default: try synchronize(phone)
        }
    }

    @Test(
        "Thousands of histories of all operations leave keys, records and mismatches of the other server as they were")
    func histories() throws {
        let fixtures = try Fixtures()
        var failures: [UInt64] = []
        for seed in 0..<Self.histories {
            let phone = try HostilePhone(seed: seed, fixtures)
            for _ in 0..<Self.operationsPerHistory {
                phone.speaker = phone.pick(phone.servers)
                let before = try phone.belongings(of: phone.other)
                try operate(phone)
                guard try phone.belongings(of: phone.other) == before, phone.breaches.isEmpty else {
                    failures.append(seed)
                    break
                }
            }
        }
        #expect(failures.isEmpty, "seeds: \(failures.prefix(10)), \(failures.count) in all")
    }

    // MARK: - One by one

    private let fixtures: Fixtures
    private let other: ServerAddress

    init() throws {
        fixtures = try Fixtures()
        other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
    }

    private func parameters() -> RegistrationMachine<SDKValues>.Parameters {
        var parameters = RegistrationMachine<SDKValues>.Parameters(server: other)
        parameters.username = "jeff"
        parameters.hasSelector = true
        parameters.enrollable = [.pin]
        return parameters
    }

    private func step(
        _ device: DeviceSnapshot, _ request: RegistrationRequest, _ facet: TrustedFacet
    ) -> Step<RegistrationMachine<SDKValues>.Effect, Void, CeremonyFailure> {
        var machine = RegistrationMachine<SDKValues>(parameters())
        _ = machine.start()
        _ = machine.resume(.device(device))
        _ = machine.resume(.request(.request(request, expiry: nil)))
        return machine.resume(.facet(.trusted(facet)))
    }

    @Test("D-H1: an AppID whose first key came from another server is refused before the user is asked for anything")
    func foreignAppID() throws {
        let anna = try Fixtures.unwrap(UserName("anna"))
        for state in [LocalCredential.State.registered, .pending, .unusable] {
            let device = fixtures.device(
                [try fixtures.credential(1, state, username: anna)], information: DeviceInformation(name: "phone"))
            let step = step(device, fixtures.registrationRequest(), fixtures.facet)
            guard case .finish(.failure(.fido(.untrustedFacetID, let cause))) = step else {
                Issue.record("not refused: \(step)")
                continue
            }
            #expect(cause as? CeremonyFault == .foreignAppID)
        }
        let own = TrustedFacet(
            appID: try Fixtures.unwrap(AppID("https://other.example/facets")), facetID: fixtures.facet.facetID)
        let device = fixtures.device([try fixtures.credential(1, username: anna)])
        guard case .perform(.selectAuthenticator) = step(device, fixtures.registrationRequest(), own) else {
            Issue.record("the server's own AppID was refused")
            return
        }
    }

    @Test(
        "D-L12: a key of another server that is disallowed leaves the offer as it is, one of the same server does not")
    func disallowed() throws {
        let facet = TrustedFacet(
            appID: try Fixtures.unwrap(AppID(fixtures.facet.facetID.text)), facetID: fixtures.facet.facetID)
        let anna = try Fixtures.unwrap(UserName("anna"))
        let id = try fixtures.credential().id
        let request = RegistrationRequest(
            header: fixtures.header, challenge: fixtures.challenge, username: fixtures.username,
            policy: Policy(
                accepted: [[MatchCriteria(aaids: [fixtures.aaid])]],
                disallowed: [MatchCriteria(aaids: [id.aaid], keyIDs: [id.keyID])]))
        for server in [fixtures.server, other] {
            let key = LocalCredential(id: id, username: anna, server: server, appID: facet.appID, state: .registered)
            switch step(fixtures.device([key]), request, facet) {
            case .perform(.selectAuthenticator): #expect(server == fixtures.server)
            case .perform(.report): #expect(server == other)
            default: Issue.record("another step")
            }
        }
    }

    @Test("D-H1: a pending key is not promoted for a user who is registered with another server")
    func foreignUser() throws {
        let key = try fixtures.credential(1)
        let pending = LocalCredential(
            id: try fixtures.credential(2).id, username: key.username, server: other, appID: key.appID, state: .pending)
        for keys in [[key, pending], [pending]] {
            let scope = fixtures.device(keys).scope(at: other)
            let policy = fixtures.authenticationRequest(naming: [pending]).policy
            let named = scope.pending(namedBy: policy, for: key.username, under: fixtures.facet)
            #expect(named == (keys.count == 1 ? [pending.id] : []))
        }
    }

    @Test("D-H1: a record is forgotten for its user only, although another server has chosen the same identifier")
    func sameIdentifier() {
        let pairs = ["anna", "bert"].map { IdUsernamePair(identifier: "1", username: $0) }
        let information = DeviceInformation(
            name: "phone", fcmRegistrationToken: nil, deviceId: "d", idUsernamePairs: pairs)
        let link = DeviceRecord.Link(identifier: "1", username: "anna")
        #expect(information.applying(.forget(link)).idUsernamePairs == [pairs[1]])
    }
}
