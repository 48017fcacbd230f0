import Foundation
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Deregistration, FIDO UAF Protocol 1.1, 3.6.4")
struct DeregistrationMachineTests {
    private typealias Event = DeregistrationMachine.Event
    private typealias Explorer = MachineExplorer<
        DeregistrationMachine.Event, DeregistrationMachine.Effect, Void, CeremonyFailure
    >

    private let fixtures: Fixtures
    private let credential: LocalCredential

    init() throws {
        fixtures = try Fixtures()
        credential = try fixtures.credential()
    }

    private func explorer(aaid: String? = nil, username: String? = "jeff") -> Explorer {
        var parameters = DeregistrationMachine.Parameters()
        parameters.username = username
        parameters.aaid = aaid
        return Explorer(
            makeDriver: { [parameters] in
                let holder = MachineHolder(DeregistrationMachine(parameters))
                return .init(start: holder.start, resume: holder.resume)
            }, palette: palette, done: .done, cancellation: .canceled)
    }

    private func request(_ authenticators: [DeregisterAuthenticator]) -> Event {
        let header = OperationHeader(operation: .deregistration, appID: fixtures.facet.appID)
        return .request(.request(DeregistrationRequest(header: header, authenticators: authenticators), expiry: nil))
    }

    private var happyPath: [Event] {
        [
            .device(fixtures.device([credential])), request([.key(credential.id)]), .facet(.trusted(fixtures.facet)),
            .done,
        ]
    }

    private var palette: [Event] {
        happyPath + [
            .device(fixtures.device()), .request(.nothingToDo), .request(.refused(.fido(.protocolError))),
            .request(.unreachable(URLError(.timedOut))), .facet(.untrusted(UntrustedFacetError())),
            .failed(.fido(.unknown)), .canceled,
        ]
    }

    private func removed(_ events: [Event], aaid: String? = nil) -> [CredentialID]? {
        guard case .remove(let credentials) = explorer(aaid: aaid).run(events).effects.last else { return nil }
        return credentials
    }

    @Test("A deregistration that nothing disturbs removes the keys")
    func success() {
        #expect(explorer().run(happyPath).end == "success()")
        #expect(removed(happyPath) == [credential.id])
    }

    @Test("Every event in every state ends without trap, once, and nothing follows the end")
    func everyEvent() { explorer().expectEveryEventEnds(along: [happyPath]) }

    @Test("Events in any order end the machine")
    func randomEvents() { explorer().expectRandomEventsEnd(count: 2000) }

    @Test("Cancellation before the server has answered ends with userCanceled", arguments: 0..<3)
    func cancellation(length: Int) {
        let run = explorer().run(Array(happyPath.prefix(length)) + [.canceled])
        #expect(run.code == .userCanceled)
    }

    @Test("A user without registrations is a success without a request")
    func noAccount() {
        let run = explorer().run([.device(fixtures.device())])
        #expect(run.effects.count == 1)
        #expect(run.end == "success()")
    }

    @Test("The server is asked about this device's keys of the user only, never about pending ones")
    func pairs() throws {
        let pending = try fixtures.credential(2, .pending)
        let run = explorer().run([.device(fixtures.device([credential, pending]))])
        guard case .fetchRequest(_, _, let asked) = run.effects.last else {
            Issue.record("the server was not asked")
            return
        }
        #expect(asked == [credential.id])
    }

    @Test("Success without a request removes the keys that were asked about")
    func nothingToDo() {
        #expect(removed([.device(fixtures.device([credential])), .request(.nothingToDo)]) == [credential.id])
    }

    @Test("D-H1: wildcards widen what is removed for the user, the server and the AppID of the request only")
    func wideEntries() throws {
        let other = try fixtures.credential(3)
        let bob = try Fixtures.unwrap(UserName("bob"))
        let neighbour = try fixtures.credential(5, username: bob)
        let device = Event.device(fixtures.device([credential, other, neighbour] + (try foreign())))
        let facet = Event.facet(.trusted(fixtures.facet))
        for entry in [DeregisterAuthenticator.everything, .allKeys(of: fixtures.aaid)] {
            let all = removed([device, request([entry]), facet]) ?? []
            #expect(Set(all) == Set([credential.id, other.id]))
        }
    }

    @Test("D-H1: a key that is named exactly goes, whosever it is, at the server and for the AppID of the request only")
    func exactEntries() throws {
        let neighbour = try fixtures.credential(5, username: Fixtures.unwrap(UserName("bob")))
        let foreign = try foreign()
        let device = Event.device(fixtures.device([credential, neighbour] + foreign))
        let entries = ([neighbour] + foreign).map { DeregisterAuthenticator.key($0.id) }
        let all = removed([device, request(entries), .facet(.trusted(fixtures.facet))]) ?? []
        #expect(Set(all) == Set([credential.id, neighbour.id]))
    }

    /// Keys under another AppID, and keys of another server under the same AppID.
    private func foreign() throws -> [LocalCredential] {
        let bob = try Fixtures.unwrap(UserName("bob"))
        let elsewhere = ServerAddress(try Fixtures.unwrap(URL(string: "https://elsewhere.example")))
        return [
            LocalCredential(
                id: try fixtures.credential(4).id, username: bob, server: credential.server,
                appID: try Fixtures.unwrap(AppID("https://elsewhere.example")), state: .registered),
            LocalCredential(
                id: try fixtures.credential(6).id, username: bob, server: elsewhere, appID: fixtures.facet.appID,
                state: .registered),
            LocalCredential(
                id: try fixtures.credential(7).id, username: credential.username, server: elsewhere,
                appID: fixtures.facet.appID, state: .pending),
        ]
    }

    @Test("An AAID that is none is a mistake of the application")
    func badAaid() {
        #expect(explorer(aaid: "PIN").run([]).end?.contains("aaid") == true)
    }

    @Test("An authenticator that is not registered is a success without a request")
    func otherAaid() {
        let run = explorer(aaid: "F1D0#1005").run([.device(fixtures.device([credential]))])
        #expect(run.end == "success()")
    }

    @Test("A status of the server leaves the keys where they are")
    func refused() {
        let failure = CeremonyFailure.fido(.protocolError, cause: ServerStatus(1401))
        let run = explorer().run([.device(fixtures.device([credential])), .request(.refused(failure))])
        #expect(run.effects.count == 2)
        #expect(run.end?.contains("1401") == true)
    }
}
