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

/// Two servers on one phone, one of them hostile: whatever it says in any operation, what concerns the other stays.
@Suite("D-H1, attack A-17: no server reaches what belongs to another")
struct HostileServersTests {
    /// `SIGNET_HOSTILE_HISTORIES`: how many histories are played.
    private static let histories = UInt64(SlowTests.size("SIGNET_HOSTILE_HISTORIES", sample: 200, whole: 10_000))
    private static let operationsPerHistory = 8

    @Test(
        "Thousands of histories of all operations: what concerns one server is, bit by bit, as without the other's messages"
    )
    func histories() throws {
        let fixtures = try Fixtures()
        var failures: [String] = []
        for seed in 0..<Self.histories {
            let phone = try HostilePhone(seed: seed, fixtures, isSilenced: false)
            let undisturbed = try HostilePhone(seed: seed, fixtures, isSilenced: true)
            var chance = SeededGenerator(seed: ~seed)
            for _ in 0..<Self.operationsPerHistory {
                let move = HostileMove(by: &chance)
                move.play(on: phone)
                move.play(on: undisturbed)
                let (one, other) = (try phone.concerns(), try undisturbed.concerns())
                guard one == other, phone.breaches.isEmpty else {
                    failures.append("\(seed): \(one.differences(from: other)) \(phone.breaches)")
                    break
                }
            }
        }
        #expect(failures.isEmpty, "\(failures.count) in all: \(failures.prefix(10).joined(separator: "\n"))")
    }

    // MARK: - One by one

    private let fixtures: Fixtures
    private let other: ServerAddress

    init() throws {
        fixtures = try Fixtures()
        other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
    }

    private func parameters(at server: ServerAddress) -> RegistrationMachine<SDKValues>.Parameters {
        var parameters = RegistrationMachine<SDKValues>.Parameters(server: server)
        parameters.username = "jeff"
        parameters.hasSelector = true
        parameters.enrollable = [.pin]
        return parameters
    }

    private func step(
        _ device: DeviceSnapshot, _ request: RegistrationRequest, _ facet: TrustedFacet
    ) -> Step<RegistrationMachine<SDKValues>.Effect, Void, CeremonyFailure> {
        var machine = RegistrationMachine<SDKValues>(parameters(at: other))
        _ = machine.start()
        _ = machine.resume(.device(device))
        _ = machine.resume(.request(.request(request, expiry: nil)))
        return machine.resume(.facet(.trusted(facet)))
    }

    @Test("D-H1: an AppID whose first key came from another server is refused before the user is asked for anything")
    func foreignAppID() throws {
        let anna = try Fixtures.unwrap(UserName("anna"))
        for state in [LocalCredential.State.registered, .unusable] {
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

    @Test("N-M2: a key whose registration was never answered owns no AppID, neither at a server's origin nor elsewhere")
    func pendingOwnsNothing() throws {
        let shared = TrustedFacet(
            appID: try Fixtures.unwrap(AppID("https://third.example/facets")), facetID: fixtures.facet.facetID)
        let anna = try Fixtures.unwrap(UserName("anna"))
        for (facet, state, isRefused) in [
            (fixtures.facet, LocalCredential.State.pending, false), (shared, .pending, false),
            (shared, .registered, true),
        ] {
            let hostile = LocalCredential(
                id: try fixtures.credential(1).id, username: anna, server: other, appID: facet.appID, state: state)
            var machine = RegistrationMachine<SDKValues>(parameters(at: fixtures.server))
            _ = machine.start()
            _ = machine.resume(.device(fixtures.device([hostile], information: DeviceInformation(name: "phone"))))
            _ = machine.resume(.request(.request(fixtures.registrationRequest(), expiry: nil)))
            switch machine.resume(.facet(.trusted(facet))) {
            case .perform(.selectAuthenticator): #expect(!isRefused, "\(facet.appID)")
            case .finish(.failure(.fido(.untrustedFacetID, _))): #expect(isRefused, "\(facet.appID)")
            case let step: Issue.record("another step: \(step)")
            }
        }
    }

    @Test("N-M3: a name that a server gives to a user and that would change what a terminal shows is refused")
    func unreadableName() throws {
        for name in ["eve\u{1B}[2K", "eve\u{202E}gnihtyna", "eve\u{2028}", "eve\nbert"] {
            let request = RegistrationRequest(
                header: fixtures.header, challenge: fixtures.challenge, username: try Fixtures.unwrap(UserName(name)),
                policy: fixtures.registrationRequest().policy)
            var received = parameters(at: fixtures.server)
            received.username = nil
            received.received = ReceivedRequest(request, expiry: nil)
            var machine = RegistrationMachine<SDKValues>(received)
            guard case .finish(.failure(.fido(.protocolError, _))) = machine.start() else {
                Issue.record("taken: \(name.debugDescription)")
                continue
            }
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
