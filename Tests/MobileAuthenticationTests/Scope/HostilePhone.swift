import BackendAPI
import Foundation
import TestSupport
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// A phone with accounts at two servers, one of which does and says whatever chance wants; its user agrees to everything.
///
/// The machines are those of the product; the store is a list that does what the effects of the machines say.
final class HostilePhone {
    let fixtures: Fixtures
    let servers: [ServerAddress]
    var chance: SeededGenerator
    /// The server that answers; whatever a machine sends to another one is noted as a breach.
    var speaker: ServerAddress
    private(set) var credentials: [LocalCredential] = []
    private(set) var pairs: [IdUsernamePair] = []
    private(set) var breaches: [String] = []
    /// The records of which a server was told a change of the device information.
    var told: [DeviceSnapshot.Target] = []
    private let facets: [TrustedFacet]
    private let aaids: [AAID]
    private let names: [UserName]
    private var keyCount: UInt16 = 0

    init(seed: UInt64, _ fixtures: Fixtures) throws {
        self.fixtures = fixtures
        chance = SeededGenerator(seed: seed)
        let other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
        servers = [fixtures.server, other]
        speaker = other
        let ownID = try Fixtures.unwrap(AppID(fixtures.facet.facetID.text))
        let otherID = try Fixtures.unwrap(AppID("https://other.example/facets"))
        // Both lists of facets name this application, and a server can leave the AppID out.
        facets = [fixtures.facet.appID, otherID, ownID].map { TrustedFacet(appID: $0, facetID: fixtures.facet.facetID) }
        aaids = ["F1D0#1001", "F1D0#1005", "F1D0#1002"].compactMap { AAID($0) }
        names = ["anna", "bert", "carl", "dora"].compactMap { UserName($0) }
        for (index, name) in names.prefix(3).enumerated() {
            let server = servers[index == 0 ? 0 : Int.random(in: 0...1, using: &chance)]
            for _ in 0...Int.random(in: 0...2, using: &chance) { add(name, server, pick([.registered, .unusable])) }
            // Records have the same identifiers at both servers: each chooses its own.
            pairs.append(IdUsernamePair(identifier: "record-\(index % 2)", username: name.text))
        }
        for _ in 0..<Int.random(in: 0...3, using: &chance) { add(pick(names), pick(servers), .pending) }
    }

    private func add(_ name: UserName, _ server: ServerAddress, _ state: LocalCredential.State) {
        let facet = chance.oncePer(3) ? facets[2] : facets[server == servers[0] ? 0 : 1]
        append(pick(aaids), name, server, facet.appID, state)
    }

    @discardableResult
    private func append(
        _ aaid: AAID, _ name: UserName, _ server: ServerAddress, _ appID: AppID, _ state: LocalCredential.State
    ) -> CredentialID? {
        keyCount += 1
        let octets = [UInt8](repeating: 7, count: 30) + [UInt8(keyCount >> 8), UInt8(keyCount & 0xFF)]
        guard let keyID = KeyID(octets) else { return nil }
        let id = CredentialID(aaid: aaid, keyID: keyID)
        credentials.append(
            LocalCredential(id: id, username: name, server: server, appID: appID, state: state))
        return id
    }

    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &chance)] }

    var other: ServerAddress { speaker == servers[0] ? servers[1] : servers[0] }

    private var information: DeviceInformation {
        DeviceInformation(name: "phone", fcmRegistrationToken: nil, deviceId: "d", idUsernamePairs: pairs)
    }

    var device: DeviceSnapshot {
        DeviceSnapshot(
            models: fixtures.device().models, credentials: credentials,
            deviceInformation: credentials.contains { $0.state != .pending } ? information : nil)
    }

    /// Everything that belongs to a server: keys, records, and what it would be told is missing.
    struct Belongings: Equatable {
        let keys: [LocalCredential]
        let records: [DeviceSnapshot.Target]
        let mismatches: [DeviceComparison.Finding]
    }

    func belongings(of server: ServerAddress) throws -> Belongings {
        Belongings(
            keys: credentials.filter { $0.server == server },
            records: device.targets.filter { $0.server == server },
            mismatches: DeviceComparison(device, server, try emptyReport()).findings)
    }

    private func emptyReport() throws -> DeviceCredentials {
        let accounts = names.map { DeviceCredentials.Account(username: $0, target: nil, credentials: []) }
        return DeviceCredentials(requestID: "r", deviceID: try Fixtures.unwrap(DeviceID("d")), accounts: accounts)
    }

    // MARK: - What the store does

    private func expectOwn(_ server: ServerAddress, _ what: String) {
        if server != speaker { breaches.append(what) }
    }

    func remove(_ ids: [CredentialID]) {
        credentials.removeAll { ids.contains($0.id) }
        let users = credentials.filter { $0.state != .pending }.map(\.username.text)
        pairs.removeAll { !users.contains($0.username) }
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
        pairs = changes.reduce(information) { $0.applying($1) }.idUsernamePairs
    }

    // MARK: - What the server says

    var facet: TrustedFacet { pick(facets) }

    private func header(_ operation: OperationKind) -> OperationHeader {
        OperationHeader(operation: operation, appID: pick(facets).appID)
    }

    /// Any key of the phone, whosever it is.
    private var anyKey: CredentialID? { credentials.isEmpty ? nil : pick(credentials).id }

    private var criteria: MatchCriteria {
        guard let key = anyKey, !chance.oncePer(4) else { return MatchCriteria(aaids: [pick(aaids)]) }
        return MatchCriteria(aaids: [key.aaid], keyIDs: [key.keyID])
    }

    private var policy: Policy {
        Policy(
            accepted: (0..<Int.random(in: 1...6, using: &chance)).map { _ in [criteria] },
            disallowed: chance.oncePer(2) ? [criteria] : [])
    }

    var registration: RegistrationRequest {
        RegistrationRequest(
            header: header(.registration), challenge: fixtures.challenge, username: pick(names),
            policy: chance.oncePer(2) ? Policy(accepted: aaids.map { [MatchCriteria(aaids: [$0])] }) : policy)
    }

    var authentication: AuthenticationRequest {
        AuthenticationRequest(
            header: header(.authentication), challenge: fixtures.challenge, transactions: [], policy: policy)
    }

    var deregistration: DeregistrationRequest {
        let entries = (0..<Int.random(in: 1...3, using: &chance)).map { _ -> DeregisterAuthenticator in
            switch Int.random(in: 0...2, using: &chance) {
            case 0: .everything
            case 1: .allKeys(of: pick(aaids))
            default: anyKey.map { .key($0) } ?? .everything
            }
        }
        return DeregistrationRequest(header: header(.deregistration), authenticators: entries)
    }

    var redeemed: OperationRequest {
        switch Int.random(in: 0...2, using: &chance) {
        case 0: .registration(registration)
        case 1: .authentication(authentication)
        default: .deregistration(deregistration)
        }
    }

    /// What the server claims to know of this device: anything, also about accounts of the other one.
    func report() throws -> DeviceCredentials {
        let id = try Fixtures.unwrap(DeviceID("d"))
        let name = try Fixtures.unwrap(DeviceName("phone"))
        let accounts = names.filter { _ in chance.oncePer(2) }.map { user in
            DeviceCredentials.Account(
                username: user,
                target: chance.oncePer(2)
                    ? DeviceCredentials.Target(
                        id: pick(["record-0", "record-1", "x"]), name: name, dispatcher: nil, destination: nil) : nil,
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
        case .fetchRequest: return .request(answer(registration))
        case .checkFacet: return .facet(.trusted(facet))
        case .selectAuthenticator(let question):
            expectOwn(question.server, "asked for the other server")
            return .choice(.given(pick(question.accepted).text))
        case .enroll: return .secret(.given(SecretBytes("482915")))
        case .judge(_, let secret, _): return .judged(.accepted(secret))
        case .confirmPresence: return .presence(.given(PresenceRequest()))
        case .createKey(let parameters, _, _):
            expectOwn(parameters.server, "a key for the other server")
            guard let id = append(parameters.aaid, parameters.username, parameters.server, parameters.appID, .pending)
            else {
                return .failed(.fido(.unknown))
            }
            return .creation(.made(CreatedKey(credential: id, assertion: [1])))
        case .sendResponse: return .verdict(verdict)
        case .confirm(let id, let target):
            promote(id)
            if let target, let user = credentials.first(where: { $0.id == id })?.username.text {
                change([.remember(DeviceRecord.Link(identifier: target, username: user))])
            }
            return .done
        case .discard(let id):
            remove([id])
            return .done
        case .introduce, .report: return .done
        }
    }

    func react(to effect: AuthenticationMachine<SDKValues>.Effect) -> AuthenticationMachine<SDKValues>.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest(_, let server):
            expectOwn(server, "asked the other server")
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
                expectOwn(key.server, "a signature with a key of the other server")
            }
            return .signature(.signed(assertion: [1]))
        case .sendResponse(_, let server, _):
            expectOwn(server, "an answer to the other server")
            return .verdict(verdict)
        case .promote(let ids):
            for id in ids { promote(id) }
            return .done
        case .markUnusable(let id):
            setState(id, .unusable)
            return .done
        case .wait, .report: return .done
        }
    }

    func react(to effect: DeregistrationMachine.Effect) -> DeregistrationMachine.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest(_, let server, _):
            expectOwn(server, "asked the other server")
            return .request(answer(deregistration))
        case .checkFacet: return .facet(.trusted(facet))
        case .removeThere(_, _, let signer):
            expectOwn(signer.server, "asked the other server")
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
            expectOwn(question.server, "asked about the other server")
            return .consent(.given(()))
        case .redeem: return .request(answer(redeemed))
        case .checkFacet: return .facet(.trusted(facet))
        case .remove(let ids):
            remove(ids)
            return .done
        }
    }
}
