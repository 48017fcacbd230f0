import Authenticators
import Foundation
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Authentication, FIDO UAF Protocol 1.1, 3.5.7")
struct AuthenticationMachineTests {
    private typealias Event = AuthenticationMachine<SDKValues>.Event
    private typealias Explorer = MachineExplorer<
        AuthenticationMachine<SDKValues>.Event, AuthenticationMachine<SDKValues>.Effect, (any AuthorizationProvider)?,
        CeremonyFailure
    >

    private let fixtures: Fixtures
    private let pin = SecretBytes("482915")
    private let credential: LocalCredential

    init() throws {
        fixtures = try Fixtures()
        credential = try fixtures.credential()
    }

    private var parameters: AuthenticationMachine<SDKValues>.Parameters {
        var parameters = AuthenticationMachine<SDKValues>.Parameters()
        parameters.subject = .user("jeff")
        parameters.hasSelector = true
        parameters.verifiable = [.pin]
        return parameters
    }

    private func explorer(_ parameters: AuthenticationMachine<SDKValues>.Parameters? = nil) -> Explorer {
        Explorer(
            makeDriver: { [parameters = parameters ?? self.parameters] in
                let holder = MachineHolder(AuthenticationMachine<SDKValues>(parameters))
                return .init(start: holder.start, resume: holder.resume)
            }, palette: palette, done: .done, cancellation: .canceled)
    }

    private var device: DeviceSnapshot { fixtures.device([credential]) }

    private var request: Event {
        .request(.request(fixtures.authenticationRequest(naming: [credential]), expiry: .seconds(300)))
    }

    private let unlocked = ProtectionReport.unlocked
    private let waiting = ProtectionReport.lastAttemptFailed(attemptsLeft: 2, coolDown: .seconds(60))
    private let locked = ProtectionReport.lockedOut

    private var happyPath: [Event] {
        [
            .device(device), request, .facet(.trusted(fixtures.facet)), .choice(.given("F1D0#1001")),
            .protection(unlocked), .secret(.given(pin)), .signature(.signed(assertion: [1, 2])),
            .verdict(.accepted(nil)),
        ]
    }

    private var palette: [Event] {
        [
            .device(device), .device(fixtures.device()), request, .request(.nothingToDo),
            .request(.refused(.fido(.protocolError))), .request(.unreachable(InsecureAddressError())),
            .facet(.trusted(fixtures.facet)), .facet(.untrusted(UntrustedFacetError())),
            .choice(.given("F1D0#1001")), .choice(.given("F1D0#1003")), .choice(.canceled), .choice(.timedOut),
            .protection(unlocked), .protection(waiting), .protection(locked), .secret(.given(pin)), .secret(.canceled),
            .secret(.timedOut), .signature(.signed(assertion: [1])), .signature(.refused(waiting)),
            .signature(.refused(locked)), .signature(.unconfirmed(.notRecognized)),
            .signature(.unconfirmed(.unconfirmed)),
            .presence(.given(PresenceRequest())), .presence(.canceled), .presence(.timedOut), .verdict(.accepted(nil)),
            .verdict(.postponed),
            .verdict(.refused(StatusCode(rawValue: 1481))), .verdict(.refused(StatusCode(rawValue: 1495))),
            .verdict(.unknown(URLError(.timedOut))), .done, .failed(.fido(.keyDisappearedPermanently)), .canceled,
        ]
    }

    @Test("An authentication that nothing disturbs gives what the server issued")
    func success() {
        let path = happyPath.dropLast() + [.verdict(.accepted(JwtAuthorizationProvider("a.b.c")))]
        #expect(explorer().run(Array(path)).end?.contains("JwtAuthorizationProvider") == true)
    }

    @Test("Every event in every state ends without trap, once, and nothing follows the end")
    func everyEvent() { explorer().expectEveryEventEnds(along: [happyPath]) }

    @Test("Events in any order end the machine")
    func randomEvents() { explorer().expectRandomEventsEnd(count: 3000) }

    @Test("Cancellation in each state ends with userCanceled", arguments: 0..<8)
    func cancellation(length: Int) {
        let run = explorer().run(Array(happyPath.prefix(length)) + [.canceled, .done])
        #expect(run.code == .userCanceled)
    }

    @Test("A wrong PIN is asked for again with tries and cool-down")
    func wrongPin() {
        let run = explorer().run(Array(happyPath.prefix(6)) + [.signature(.refused(waiting))])
        guard case .verify(let question) = run.effects.last else {
            Issue.record("the user was not asked again")
            return
        }
        #expect(question.protection == waiting)
        #expect(question.limit.coolDown == .seconds(60))
    }

    @Test("A locked authenticator ends with userLockout, which the server is told")
    func lockout() {
        let run = explorer().run(Array(happyPath.prefix(6)) + [.signature(.refused(locked)), .done])
        guard case .report(_, _, .fido(.userLockout, _)) = run.effects.last else {
            Issue.record("the lockout was not reported")
            return
        }
        #expect(run.code == .userLockout)
    }

    @Test("Status 1481 marks the key as unusable")
    func unknownKey() {
        let run = explorer().run(Array(happyPath.dropLast()) + [.verdict(.refused(StatusCode(rawValue: 1481))), .done])
        guard case .markUnusable(let marked) = run.effects.last else {
            Issue.record("the key was not marked")
            return
        }
        #expect(marked == credential.id)
        #expect(run.end?.contains("1481") == true)
    }

    @Test("Any other status leaves the key alone", arguments: [1400, 1491, 1495, 1498])
    func otherStatus(status: UInt32) {
        let run = explorer().run(Array(happyPath.dropLast()) + [.verdict(.refused(StatusCode(rawValue: status)))])
        guard case .sendResponse = run.effects.last else {
            Issue.record("something followed the refusal")
            return
        }
        #expect(run.end?.contains("\(status)") == true)
    }

    @Test("A key that is gone is marked, then the server is told")
    func keyDisappeared() {
        let gone = Event.failed(.fido(.keyDisappearedPermanently))
        let run = explorer().run(Array(happyPath.prefix(6)) + [gone, .done, .done])
        let last = run.effects.suffix(2)
        guard case .markUnusable = last.first, case .report(_, _, .fido(.keyDisappearedPermanently, _)) = last.last
        else {
            Issue.record("the key was not marked and reported")
            return
        }
    }

    @Test("An assertion that could not be written leaves the key alone, and the server is told")
    func notEncodable() {
        let failed = Event.failed(CeremonyFailure(AuthenticatorError.notEncodable))
        let run = explorer().run(Array(happyPath.prefix(6)) + [failed, .done])
        guard case .report(_, _, .fido(.unknown, _)) = run.effects.last else {
            Issue.record("something else followed: \(String(describing: run.effects.last))")
            return
        }
    }

    @Test("A policy that names a pending key promotes it before the user is asked")
    func promotion() throws {
        let pending = try fixtures.credential(2, .pending)
        let request = Event.request(.request(fixtures.authenticationRequest(naming: [pending]), expiry: nil))
        let run = explorer().run([
            .device(fixtures.device([pending])), request, .facet(.trusted(fixtures.facet)), .done,
        ])
        guard run.effects.count == 5, case .promote([pending.id]) = run.effects[3] else {
            Issue.record("the key was not promoted")
            return
        }
        guard case .selectAuthenticator = run.effects.last else {
            Issue.record("the user was not asked")
            return
        }
    }

    @Test("D-H5: a pending key takes the place of a registered one only after the user has chosen it")
    func replacement() throws {
        let (registered, pending) = (try fixtures.credential(), try fixtures.credential(2, .pending))
        let request = Event.request(.request(fixtures.authenticationRequest(naming: [pending]), expiry: nil))
        let run = explorer().run([
            .device(fixtures.device([registered, pending])), request, .facet(.trusted(fixtures.facet)),
            .choice(.given(fixtures.aaid.text)), .done,
        ])
        guard run.effects.count == 6, case .selectAuthenticator = run.effects[3],
            case .promote([pending.id]) = run.effects[4], case .readProtection(pending.id) = run.effects[5]
        else {
            Issue.record("another order of steps: \(run.effects)")
            return
        }
    }

    @Test("A user without any key ends without a request")
    func noKey() {
        let run = explorer().run([.device(fixtures.device())])
        #expect(run.effects.count == 1)
        #expect(run.code == .noSuitableAuthenticator)
    }

    @Test("A user whose key is gone is told so")
    func onlyUnusable() throws {
        let run = explorer().run([.device(fixtures.device([try fixtures.credential(1, .unusable)]))])
        #expect(run.code == .keyDisappearedPermanently)
    }

    @Test("The text of a transaction is shown as it will be signed")
    func transaction() {
        let text = Array("Pay 10 €\nto Bob".utf8)
        let transaction = Transaction(contentType: .plainText, content: text)
        let request = fixtures.authenticationRequest(naming: [credential], transactions: [transaction])
        let run = explorer().run([
            .device(device), .request(.request(request, expiry: nil)), .facet(.trusted(fixtures.facet)),
            .choice(.given("F1D0#1001")), .protection(unlocked), .secret(.given(pin)),
        ])
        guard case .selectAuthenticator(let question) = run.effects[3],
            case .sign(let parameters, _, _) = run.effects.last
        else {
            Issue.record("the operation did not get as far as signing")
            return
        }
        #expect(question.transactionText == text)
        #expect(parameters.transaction?.octets == text)
    }

    @Test(
        "A text that would show something else than it says is refused before the user is asked",
        arguments: ["a\u{202E}b", "a\u{0007}b", "a\u{2066}b", "\u{0000}", "a\u{200F}"])
    func hiddenText(text: String) {
        let transaction = Transaction(contentType: .plainText, content: Array(text.utf8))
        let request = fixtures.authenticationRequest(naming: [credential], transactions: [transaction])
        let run = explorer().run([
            .device(device), .request(.request(request, expiry: nil)), .facet(.trusted(fixtures.facet)), .done,
        ])
        #expect(run.code == .invalidTransactionContent)
    }

    @Test("Content that is no text is refused")
    func noText() {
        for (type, content) in [(ContentType.png, [UInt8](repeating: 1, count: 9)), (.plainText, [0xFF, 0xFE])] {
            let request = fixtures.authenticationRequest(
                naming: [credential], transactions: [Transaction(contentType: type, content: content)])
            let run = explorer().run([
                .device(device), .request(.request(request, expiry: nil)), .facet(.trusted(fixtures.facet)), .done,
            ])
            #expect(run.code == .invalidTransactionContent)
        }
    }

    @Test("A server that asks for patience is asked again as often as the policy says")
    func patience() {
        var parameters = parameters
        parameters.retries = RetrySchedule(maxRetries: 2, seconds: 1)
        let path = Array(happyPath.dropLast()) + [.verdict(.postponed), .done, .verdict(.postponed), .done]
        #expect(explorer(parameters).run(path).end == nil)
        #expect(explorer(parameters).run(path + [.verdict(.postponed)]).end?.contains("1202") == true)
    }
}
