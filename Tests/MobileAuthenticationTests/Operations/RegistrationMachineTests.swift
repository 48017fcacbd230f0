import Authenticators
import Foundation
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Registration, FIDO UAF Protocol 1.1, 3.4.6")
struct RegistrationMachineTests {
    private typealias Event = RegistrationMachine<SDKValues>.Event
    private typealias Explorer = MachineExplorer<
        RegistrationMachine<SDKValues>.Event, RegistrationMachine<SDKValues>.Effect, Void, CeremonyFailure
    >

    private let fixtures: Fixtures
    private let pin = SecretBytes("482915")
    private let key: CreatedKey

    init() throws {
        fixtures = try Fixtures()
        key = CreatedKey(credential: try fixtures.credential().id, assertion: [1, 2, 3])
    }

    private var parameters: RegistrationMachine<SDKValues>.Parameters {
        var parameters = RegistrationMachine<SDKValues>.Parameters(server: fixtures.server)
        parameters.username = "jeff"
        parameters.deviceInformation = DeviceInformation(name: "phone")
        parameters.hasSelector = true
        parameters.enrollable = [.pin]
        return parameters
    }

    private func explorer(_ parameters: RegistrationMachine<SDKValues>.Parameters) -> Explorer {
        Explorer(
            makeDriver: {
                let holder = MachineHolder(RegistrationMachine<SDKValues>(parameters))
                return .init(start: holder.start, resume: holder.resume)
            }, palette: palette, done: .done, cancellation: .canceled)
    }

    private var request: Event { .request(.request(fixtures.registrationRequest(), expiry: .seconds(300))) }

    private var happyPath: [Event] {
        [
            .device(fixtures.device()), request, .facet(.trusted(fixtures.facet)), .choice(.given("F1D0#1001")),
            .secret(.given(pin)), .judged(.accepted(pin)), .creation(.made(key)),
            .verdict(.accepted(nil, target: "t1")), .done,
        ]
    }

    private var palette: [Event] {
        [
            .device(fixtures.device()), request, .request(.nothingToDo),
            .request(.refused(.fido(.protocolError, cause: ServerStatus(1401)))),
            .request(.unreachable(InsecureAddressError())), .facet(.trusted(fixtures.facet)),
            .facet(.untrusted(UntrustedFacetError())), .choice(.given("F1D0#1001")), .choice(.given("F1D0#1002")),
            .choice(.given("")), .choice(.canceled), .choice(.timedOut), .secret(.given(pin)), .secret(.canceled),
            .secret(.timedOut), .judged(.accepted(pin)),
            .judged(.refused(.malformedPin(digits: 6...6))), .presence(.given(PresenceRequest())),
            .presence(.canceled), .presence(.timedOut), .creation(.refused(.notRecognized)),
            .creation(.refused(.unconfirmed)), .creation(.made(key)),
            .verdict(.accepted(nil)), .verdict(.accepted(nil, target: "t1")), .verdict(.postponed),
            .verdict(.refused(StatusCode(rawValue: 1498))),
            .verdict(.unknown(CancellationError())), .done, .failed(.fido(.insufficientAuthenticatorResources)),
            .canceled,
        ]
    }

    @Test("A registration that nothing disturbs succeeds and keeps the key")
    func success() {
        let run = explorer(parameters).run(happyPath)
        #expect(run.end == "success()")
        guard case .confirm(let confirmed, let target) = run.effects.last else {
            Issue.record("the key was not confirmed")
            return
        }
        #expect(confirmed == key.credential)
        #expect(target == "t1")
    }

    @Test("A server that says nothing of the device is asked for a record, and whatever comes of it is a success")
    func introduction() {
        let token = JwtAuthorizationProvider("a.b.c")
        for event in [Event.done, .failed(.fido(.unknown)), .canceled] {
            let run = explorer(parameters).run(Array(happyPath.prefix(7)) + [.verdict(.accepted(token)), .done, event])
            guard case .introduce(let username, let issued) = run.effects.last else {
                Issue.record("nothing was asked")
                return
            }
            #expect(username.text == "jeff")
            #expect(issued as? JwtAuthorizationProvider == token)
            #expect(run.end == "success()")
        }
    }

    @Test("Every event in every state ends without trap, once, and nothing follows the end")
    func everyEvent() { explorer(parameters).expectEveryEventEnds(along: [happyPath]) }

    @Test("Events in any order end the machine")
    func randomEvents() { explorer(parameters).expectRandomEventsEnd(count: 3000) }

    @Test("Cancellation in each state before the key exists ends with userCanceled", arguments: 0..<6)
    func cancellation(length: Int) {
        let run = explorer(parameters).run(Array(happyPath.prefix(length)) + [.canceled, .done])
        #expect(run.code == .userCanceled)
    }

    @Test("Cancellation between making and sending takes the key back")
    func cancellationBeforeSending() {
        let run = explorer(parameters).run(Array(happyPath.prefix(7)) + [.canceled, .done])
        guard case .discard(let credential) = run.effects.last else {
            Issue.record("the key was not taken back")
            return
        }
        #expect(credential == key.credential)
        #expect(run.code == .userCanceled)
    }

    @Test("No answer of the server keeps the key as a pending one")
    func lostAnswer() {
        let run = explorer(parameters).run(Array(happyPath.prefix(7)) + [.verdict(.unknown(URLError(.timedOut)))])
        guard case .sendResponse = run.effects.last else {
            Issue.record("something followed the lost answer")
            return
        }
        #expect(run.end?.contains("network") == true)
    }

    @Test("A refusal by the server deletes the key and carries the status", arguments: [1400, 1481, 1491, 1495, 1498])
    func refusal(status: UInt32) {
        let run = explorer(parameters).run(
            Array(happyPath.prefix(7)) + [.verdict(.refused(StatusCode(rawValue: status))), .done])
        guard case .discard = run.effects.last else {
            Issue.record("the key was not deleted")
            return
        }
        #expect(run.code == .protocolError)
        #expect(run.end?.contains("\(status)") == true)
    }

    @Test("An untrusted facet ends the operation before anything reaches user or server")
    func untrustedFacet() {
        let run = explorer(parameters).run(Array(happyPath.prefix(2)) + [.facet(.untrusted(UntrustedFacetError()))])
        guard case .checkFacet = run.effects.last else {
            Issue.record("something followed the refusal")
            return
        }
        #expect(run.code == .untrustedFacetId)
    }

    @Test("A failure on the device is reported with its code")
    func report() {
        let run = explorer(parameters).run(Array(happyPath.prefix(4)) + [.secret(.timedOut), .done])
        guard case .report(let response, .fido(.userNotResponsive, _)) = run.effects.last else {
            Issue.record("the failure was not reported")
            return
        }
        #expect(response.assertions.isEmpty)
        #expect(response.header == fixtures.header)
    }

    @Test("A policy without match is reported without asking the user")
    func noMatch() throws {
        let other = try Fixtures.unwrap(AAID("FFFF#0001"))
        let request = fixtures.registrationRequest(accepting: [other])
        let run = explorer(parameters).run([
            .device(fixtures.device()), .request(.request(request, expiry: nil)), .facet(.trusted(fixtures.facet)),
            .done,
        ])
        #expect(run.code == .noSuitableAuthenticator)
        guard case .report(_, .fido(.noSuitableAuthenticator, _)) = run.effects.last else {
            Issue.record("the failure was not reported")
            return
        }
    }

    @Test("A refused PIN is asked for again with the reason")
    func refusedPin() {
        let refused = Event.judged(.refused(.malformedPin(digits: 6...6)))
        let run = explorer(parameters).run(Array(happyPath.prefix(5)) + [refused])
        guard case .enroll(let question) = run.effects.last else {
            Issue.record("the user was not asked again")
            return
        }
        guard case .malformedPin(6...6) = question.flaw else {
            Issue.record("the reason was lost")
            return
        }
        #expect(question.limit.expiry == .seconds(300))
    }

    @Test("The choice of an authenticator that the server does not accept ends with an error")
    func wrongChoice() {
        let run = explorer(parameters).run(Array(happyPath.prefix(3)) + [.choice(.given("F1D0#1002")), .done])
        #expect(run.code == .noSuitableAuthenticator)
    }

    @Test("An authenticator that is registered for the user already is not offered again")
    func alreadyRegistered() throws {
        let device = fixtures.device([try fixtures.credential()])
        let run = explorer(parameters).run([.device(device), request, .facet(.trusted(fixtures.facet)), .done])
        #expect(run.code == .noSuitableAuthenticator)
    }

    @Test("A user name that is registered with another server is refused before any request")
    func otherServer() throws {
        var parameters = parameters
        parameters.server = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
        let run = explorer(parameters).run([.device(fixtures.device([try fixtures.credential()]))])
        #expect(run.end?.contains("registeredInAnotherServer") == true)
    }

    @Test("The first registration on a device needs the device information, later ones do not")
    func deviceInformation() throws {
        var parameters = parameters
        parameters.deviceInformation = nil
        #expect(explorer(parameters).run([.device(fixtures.device())]).end?.contains("deviceInformation") == true)
        let run = explorer(parameters).run([.device(fixtures.device([try fixtures.credential()]))])
        #expect(run.end == nil)
    }

    @Test("Missing or unusable parameters end the operation at once")
    func missingParameters() throws {
        func end(_ change: (inout RegistrationMachine<SDKValues>.Parameters) -> Void) -> String {
            var parameters = parameters
            change(&parameters)
            return explorer(parameters).run([]).end ?? "no end"
        }
        #expect(end { $0.username = nil }.contains("username"))
        #expect(end { $0.username = "" }.contains("invalidParameter"))
        #expect(end { $0.username = String(repeating: "ä", count: 65) }.contains("invalidParameter"))
        #expect(end { $0.username = String(repeating: "ä", count: 64) } == "no end")
        #expect(end { $0.hasSelector = false }.contains("authenticatorSelector"))
        #expect(end { $0.enrollable = [] }.contains("pinEnroller"))
        let address = try Fixtures.unwrap(URL(string: "http://server.example"))
        #expect(end { $0.server = ServerAddress(address) }.contains("insecureAddress"))
    }
}
