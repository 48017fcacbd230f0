import BackendAPI
import Foundation
import TestSupport
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// A phone with accounts at three servers: one answers within reason, one does and says whatever chance wants, and one is
/// quiet; the user agrees to everything, but registers no name at the hostile server that is theirs at the other.
///
/// The machines are the product's; the store is a list that does what the effects of the machines say. Each server
/// has a chance of its own, so that a history without the messages of the hostile one is the same in everything else.
final class HostilePhone {
    let fixtures: Fixtures
    let honest: ServerAddress
    let hostile: ServerAddress
    private let quiet: ServerAddress
    /// Whether the messages of the hostile server never come.
    let isSilenced: Bool
    private(set) var credentials: [LocalCredential] = []
    private(set) var information: DeviceInformation?
    private(set) var departed: [DeviceSnapshot.Departure] = []
    private(set) var breaches: [String] = []
    /// What each server was asked and told.
    private(set) var messages: [ServerAddress: [String]] = [:]
    /// The server that answers; whatever a machine sends to another one is noted as a breach.
    var speaker: ServerAddress
    private var chances: [ServerAddress: SeededGenerator] = [:]
    let configured: ConfiguredServer
    private let appIDs: [ServerAddress: AppID]
    private let ownID: AppID
    private let aaids: [AAID]
    /// The names that the user has at each server.
    private let names: [ServerAddress: [UserName]]
    private var keyCounts: [ServerAddress: UInt8] = [:]
    /// The servers that have announced that they judge the server binding.
    private var announced: Set<ServerAddress> = []

    init(seed: UInt64, _ fixtures: Fixtures, isSilenced: Bool) throws {
        self.fixtures = fixtures
        self.isSilenced = isSilenced
        let other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
        quiet = ServerAddress(try Fixtures.unwrap(URL(string: "https://quiet.example")))
        let pair = seed % 2 == 0 ? [fixtures.server, other] : [other, fixtures.server]
        (honest, hostile) = (pair[0], pair[1])
        configured = ConfiguredServer([honest, hostile, quiet][Int(seed / 2 % 3)])
        speaker = honest
        ownID = try Fixtures.unwrap(AppID(fixtures.facet.facetID.text))
        // All lists of facets name this application, and a server can leave the AppID out.
        appIDs = [
            fixtures.server: fixtures.facet.appID, other: try Fixtures.unwrap(AppID("https://other.example/facets")),
            quiet: try Fixtures.unwrap(AppID("https://quiet.example/facets")),
        ]
        aaids = ["F1D0#1001", "F1D0#1005", "F1D0#1002"].compactMap { AAID($0) }
        names = [honest: ["anna", "carl", "dora"], hostile: ["bert", "frida"], quiet: ["emil"]]
            .mapValues { $0.compactMap { UserName($0) } }
        for (index, server) in [honest, hostile, quiet].enumerated() {
            chances[server] = SeededGenerator(seed: seed &* 3 &+ UInt64(index))
        }
        try fill()
    }

    /// What the phone has when a history begins, with records from before each server had its own identifier.
    private func fill() throws {
        var pairs: [IdUsernamePair] = []
        for server in [hostile, honest, quiet] {
            speaker = server
            for (index, name) in own(names).enumerated() where index == 0 || chance.oncePer(2) {
                for _ in 0...int(2) { append(pick(aaids), name, server, anyAppID, pick([.registered, .unusable])) }
                // Records have the same identifiers at all servers: each chooses its own.
                pairs.append(IdUsernamePair(identifier: "record-\(index)", username: name.text))
            }
            for _ in 0..<int(4) { append(pick(aaids), pick(own(names)), server, anyAppID, .pending) }
        }
        append(aaids[0], names[quiet, default: []][0], quiet, ownID, .registered)
        information = DeviceInformation(
            name: "phone", fcmRegistrationToken: "push", deviceId: "old", idUsernamePairs: pairs)
        speaker = honest
    }

    @discardableResult
    private func append(
        _ aaid: AAID, _ name: UserName, _ server: ServerAddress, _ appID: AppID, _ state: LocalCredential.State,
        statesServer: Bool = false
    ) -> CredentialID? {
        keyCounts[server, default: 0] += 1
        let number: UInt8 = server == honest ? 1 : server == hostile ? 2 : 3
        let octets = [UInt8](repeating: number, count: 31) + [keyCounts[server] ?? 0]
        guard let keyID = KeyID(octets) else { return nil }
        let id = CredentialID(aaid: aaid, keyID: keyID)
        credentials.append(
            LocalCredential(
                id: id, username: name, server: server, appID: appID, state: state, statesServer: statesServer))
        return id
    }

    // MARK: - Chance

    /// The chance of the server that speaks.
    var chance: SeededGenerator {
        get { chances[speaker] ?? SeededGenerator(seed: 0) }
        set { chances[speaker] = newValue }
    }

    func pick<Value>(_ values: [Value]) -> Value { values[int(values.count - 1)] }

    /// A number from 0 up to a largest one.
    func int(_ largest: Int) -> Int { Int.random(in: 0...largest, using: &chance) }

    var isHostile: Bool { speaker == hostile }

    func own(_ values: [ServerAddress: [UserName]]) -> [UserName] { values[speaker] ?? [] }

    /// A name that the user has at the server that speaks.
    var ownName: UserName { pick(own(names)) }

    /// A name that the server gives to the user: the hostile one gives any.
    private var anyName: UserName {
        pick(isHostile ? names.sorted { $0.key.text < $1.key.text }.flatMap(\.value) : own(names))
    }

    /// An AppID that the server names: the hostile one names any; none stands for the application itself.
    private var anyAppID: AppID {
        let own = [appIDs[speaker] ?? ownID, ownID]
        return pick(isHostile ? own + [appIDs[honest] ?? ownID] : own)
    }

    // MARK: - What is compared

    var device: DeviceSnapshot {
        DeviceSnapshot(
            models: fixtures.device().models, credentials: credentials,
            deviceInformation: credentials.contains { $0.state != .pending } ? information : nil, departed: departed
        ).configured(for: configured)
    }

    /// Everything that concerns a server: keys, records, identifier, name and token, what it would be told is missing or
    /// different, what it was told, and which AppIDs and users are its own.
    struct Concerns: Equatable {
        let keys: [LocalCredential]
        let records: [DeviceSnapshot.Target]
        let deleted: [DeviceSnapshot.Departure]
        let deviceID: DeviceID?
        let given: DeviceRecord.Description?
        let mismatches: [DeviceMismatch]
        let ownAppIDs: [Bool]
        let homes: [ServerAddress?]
        let messages: [String]

        /// The members that differ, in the form in which they are compared.
        func differences(from other: Concerns) -> [String] {
            zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { one, two in
                let (here, there) = ("\(one.value)", "\(two.value)")
                return here == there ? nil : "\(one.label ?? ""): \(here.suffix(600)) / \(there.suffix(600))"
            }
        }
    }

    /// What concerns the honest server.
    func concerns() throws -> Concerns {
        let device = device
        let scope = device.scope(at: honest)
        return Concerns(
            keys: credentials.filter { $0.server == honest }, records: device.targets(at: honest),
            deleted: departed.filter { $0.target.server == honest }, deviceID: device.deviceID(at: honest),
            given: device.record?.description(at: honest),
            mismatches: DeviceComparison(device, honest, try unlikeReport(device)).mismatches,
            ownAppIDs: [appIDs[honest], ownID].compactMap(\.self).map { appID in
                !scope.isForeign(TrustedFacet(appID: appID, facetID: fixtures.facet.facetID))
            },
            homes: (names[honest] ?? []).map { device.home(of: $0)?.server }, messages: messages[honest] ?? [])
    }

    /// A report of the honest server that has no key, and another name and token in every record.
    private func unlikeReport(_ device: DeviceSnapshot) throws -> DeviceCredentials {
        let name = try Fixtures.unwrap(DeviceName("unlike"))
        let records = device.targets(at: honest)
        let accounts = (names[honest] ?? []).map { user in
            DeviceCredentials.Account(
                username: user,
                target: records.first { $0.username == user }.map {
                    DeviceCredentials.Target(
                        id: $0.identifier, name: name, dispatcher: nil, destination: .token("unlike"))
                }, credentials: [])
        }
        return DeviceCredentials(requestID: "r", deviceID: try Fixtures.unwrap(DeviceID("d")), accounts: accounts)
    }

    // MARK: - What the store does

    func expectOwn(_ server: ServerAddress, _ what: String) {
        if server != speaker { breaches.append(what) }
        messages[server, default: []].append(what)
    }

    /// Notes a message of an operation in which every server is asked, and lets the server speak.
    func tell(_ server: ServerAddress, _ what: String) {
        speaker = server
        expectOwn(server, what)
    }

    func remove(_ ids: [CredentialID]) {
        credentials.removeAll { ids.contains($0.id) }
        let users = credentials.filter { $0.state != .pending }.map(\.username.text)
        information =
            users.isEmpty
            ? nil : information.map { $0.with(pairs: $0.idUsernamePairs.filter { users.contains($0.username) }) }
    }

    /// Deletes an account here, while its server is not told.
    func deleteHere(_ user: UserName) {
        let keys = credentials.filter { $0.username == user }
        let target = device.targets.first { $0.username == user }
        if let target, let id = device.deviceID(at: target.server) {
            departed.removeAll { $0.target.username == user }
            departed.append(DeviceSnapshot.Departure(target: target, deviceID: id, credentials: keys.map(\.id)))
        }
        remove(keys.map(\.id))
    }

    /// The server has removed what it was asked to: what was deleted here is no longer owed.
    func forgetDeparted(_ removal: DeviceRemoval, at server: ServerAddress) {
        departed.removeAll { $0.target.server == server && removal.includes($0.target) }
    }

    /// What the server that speaks is told of the device with a registration.
    private func prepared() -> String {
        let before = information
        let id = device.deviceID(at: speaker)?.text ?? "id of \(speaker.text)"
        let identified = (before ?? DeviceInformation(name: "phone", fcmRegistrationToken: "push"))
            .identified(by: id, at: speaker, after: before)
        information = identified
        let given = identified.given(to: speaker)
        return "\(given.name) \(given.fcmRegistrationToken ?? "-") \(given.deviceId ?? "-")"
    }

    func promote(_ id: CredentialID) {
        guard let key = credentials.first(where: { $0.id == id }), key.state != .unusable else { return }
        credentials.removeAll {
            $0.id != id && $0.username == key.username && $0.server == key.server && $0.id.aaid == id.aaid
        }
        setState(id, .registered)
    }

    private func setState(_ id: CredentialID, _ state: LocalCredential.State) {
        credentials = credentials.map { $0.id == id ? $0.with(state) : $0 }
    }

    func change(_ changes: [DeviceRecordChange]) {
        information = information.map { changes.reduce($0) { $0.applying($1) } }
    }

    // MARK: - What the server says

    var facet: TrustedFacet { TrustedFacet(appID: anyAppID, facetID: fixtures.facet.facetID) }

    private func header(_ operation: OperationKind) -> OperationHeader {
        let announces = chance.oncePer(4)
        if announces { announced.insert(speaker) }
        return OperationHeader(
            operation: operation, appID: anyAppID, extensions: announces ? [.serverBindingAnnouncement] : [])
    }

    /// Whether a server is stated to be asked; one that has announced nothing never is, one that a key knows always.
    private func states(_ server: ServerAddress, in challenge: FinalChallengeParameters) -> Bool {
        let origin = challenge.serverBinding?.origin
        if origin == nil ? device.scope(at: server).isBound : !announced.contains(server) {
            breaches.append("\(server.text) is given the binding \(origin ?? "-")")
        }
        if let origin, origin != server.originText { breaches.append("\(server.text) is stated as \(origin)") }
        return origin != nil
    }

    /// A signature that states the server is kept with its key.
    private func sign(_ key: LocalCredential, _ challenge: FinalChallengeParameters) {
        expectOwn(key.server, "a signature with \(key.id)")
        guard states(key.server, in: challenge), let index = credentials.firstIndex(of: key) else { return }
        credentials[index] = LocalCredential(
            id: key.id, username: key.username, server: key.server, appID: key.appID, state: key.state,
            statesServer: true)
    }

    /// A key of the phone: the hostile server names any, whosever it is.
    private var anyKey: CredentialID? {
        let known = credentials.filter { isHostile || $0.server == speaker }
        return known.isEmpty ? nil : pick(known).id
    }

    private var criteria: MatchCriteria {
        guard let key = anyKey, !chance.oncePer(4) else { return MatchCriteria(aaids: [pick(aaids)]) }
        return MatchCriteria(aaids: [key.aaid], keyIDs: [key.keyID])
    }

    private var policy: Policy {
        Policy(
            accepted: (0...int(5)).map { _ in [criteria] },
            disallowed: chance.oncePer(2) ? [criteria] : [])
    }

    var registration: RegistrationRequest {
        RegistrationRequest(
            header: header(.registration), challenge: fixtures.challenge, username: anyName,
            policy: chance.oncePer(2) ? Policy(accepted: aaids.map { [MatchCriteria(aaids: [$0])] }) : policy)
    }

    var authentication: AuthenticationRequest {
        AuthenticationRequest(
            header: header(.authentication), challenge: fixtures.challenge, transactions: [], policy: policy)
    }

    var deregistration: DeregistrationRequest {
        let entries = (0...int(2)).map { _ -> DeregisterAuthenticator in
            switch int(2) {
            case 0: .everything
            case 1: .allKeys(of: pick(aaids))
            default: anyKey.map { .key($0) } ?? .everything
            }
        }
        return DeregistrationRequest(header: header(.deregistration), authenticators: entries)
    }

    var redeemed: OperationRequest {
        switch int(2) {
        case 0: .registration(registration)
        case 1: .authentication(authentication)
        default: .deregistration(deregistration)
        }
    }

    /// What the server claims to know of this device: the hostile one anything, also about accounts of the other.
    func report(_ id: DeviceID) throws -> DeviceCredentials {
        let users = (isHostile ? names.sorted { $0.key.text < $1.key.text }.flatMap(\.value) : own(names))
        let accounts = try users.filter { _ in chance.oncePer(2) }.map { user in
            DeviceCredentials.Account(
                username: user,
                target: chance.oncePer(2)
                    ? DeviceCredentials.Target(
                        id: pick(["record-0", "record-1", "x"]),
                        name: try Fixtures.unwrap(DeviceName(pick(["phone", "STOLEN - remove me"]))), dispatcher: nil,
                        destination: pick([nil, .token("push"), .token("theirs")])) : nil,
                credentials: anyKey.map { [DeviceCredentials.Credential($0, state: .locked)] } ?? [])
        }
        return DeviceCredentials(requestID: "r", deviceID: id, accounts: accounts)
    }

    private func answer<Request>(_ request: Request) -> RequestAnswer<Request> {
        chance.oncePer(8) ? pick([.nothingToDo, .refused(.fido(.protocolError))]) : .request(request, expiry: nil)
    }

    private var verdict: ServerVerdict<any AuthorizationProvider> {
        pick([
            .accepted(nil), .accepted(nil, target: "record-0"), .accepted(nil, target: "record-1"),
            .refused(.unknownKeyID), .refused(StatusCode(rawValue: 1498)), .unknown(URLError(.timedOut)),
        ])
    }
}

// MARK: - What the phone does

extension HostilePhone {
    func react(to effect: RegistrationMachine<SDKValues>.Effect) -> RegistrationMachine<SDKValues>.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest(let user, let isBound):
            expectOwn(speaker, "asks for a registration of \(user)\(isBound ? " by name" : "")")
            return .request(answer(registration))
        case .checkFacet: return .facet(.trusted(facet))
        case .selectAuthenticator(let question):
            expectOwn(question.server, "asks the user \(question.username)")
            // The question names user and server: the user has this name elsewhere.
            let isElsewhere = isHostile && names[honest]?.contains(question.username) == true
            return .choice(isElsewhere ? .canceled : .given(pick(question.accepted).text))
        case .enroll: return .secret(.given(SecretBytes("482915")))
        case .judge(_, let secret, _): return .judged(.accepted(secret))
        case .confirmPresence: return .presence(.given(PresenceRequest()))
        case .createKey(let parameters, _, _):
            expectOwn(parameters.server, "a key of \(parameters.username) under \(parameters.appID)")
            let id = append(
                parameters.aaid, parameters.username, parameters.server, parameters.appID, .pending,
                statesServer: states(parameters.server, in: parameters.finalChallenge))
            guard let id else { return .failed(.fido(.unknown)) }
            return .creation(.made(CreatedKey(credential: id, assertion: [1])))
        case .sendResponse(let response, let user):
            expectOwn(speaker, "registers \(user) \(response.assertions.count) with \(prepared())")
            return .verdict(verdict)
        case .confirm(let id, let target):
            promote(id)
            if let target, let user = credentials.first(where: { $0.id == id })?.username.text {
                change([.remember(DeviceRecord.Link(identifier: target, username: user))])
            }
            return .done
        case .discard(let id):
            remove([id])
            return .done
        case .introduce(let user, _):
            expectOwn(speaker, "introduces \(user) with \(prepared())")
            return .done
        case .report(_, let failure):
            expectOwn(speaker, "reports \(failure.reportedCode)")
            return .done
        }
    }

    func react(to effect: AuthenticationMachine<SDKValues>.Effect) -> AuthenticationMachine<SDKValues>.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest(let user, let server, let isBound):
            expectOwn(server, "asks for an authentication of \(user)\(isBound ? " by name" : "")")
            return .request(answer(authentication))
        case .checkFacet: return .facet(.trusted(facet))
        case .selectAccount(let question): return .choice(.given(pick(question.candidates).username.text))
        case .selectAuthenticator(let question): return .choice(.given(pick(question.accepted).text))
        case .linkChannel: return .choice(.given("42"))
        case .readProtection: return .protection(.unlocked)
        case .verify: return .secret(.given(SecretBytes("482915")))
        case .confirmPresence: return .presence(.given(PresenceRequest()))
        case .sign(let parameters, _, _):
            if let key = credentials.first(where: { $0.id == parameters.credential }) {
                sign(key, parameters.finalChallenge)
            }
            return .signature(.signed(assertion: [1]))
        case .sendResponse(let response, let server, _):
            expectOwn(server, "an answer with \(response.assertions.count)")
            return .verdict(verdict)
        case .promote(let ids):
            for id in ids { promote(id) }
            return .done
        case .markUnusable(let id):
            setState(id, .unusable)
            return .done
        case .wait: return .done
        case .report(_, let server, let failure):
            expectOwn(server, "reports \(failure.reportedCode)")
            return .done
        }
    }

    func react(to effect: DeregistrationMachine.Effect) -> DeregistrationMachine.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest(let user, let server, let keys):
            expectOwn(server, "asks for a deregistration of \(user) \(keys)")
            return .request(answer(deregistration))
        case .checkFacet: return .facet(.trusted(facet))
        case .removeThere(let removal, let id, let signer):
            expectOwn(signer.server, "removes at \(id) by \(signer.identifier): \(removal)")
            forgetDeparted(removal, at: signer.server)
            return .answer(.done(()))
        case .remove(let ids):
            remove(ids)
            return .done
        }
    }

    func react(to effect: OutOfBandMachine<SDKValues>.Effect) -> OutOfBandMachine<SDKValues>.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .open: return .canceled
        case .confirm(let question):
            expectOwn(question.server, "asks the user about \(question.usernames)")
            return .consent(.given(()))
        case .redeem(_, let address):
            expectOwn(address.server, "redeems a token")
            return .request(answer(redeemed))
        case .checkFacet: return .facet(.trusted(facet))
        case .remove(let ids):
            remove(ids)
            return .done
        }
    }
}
