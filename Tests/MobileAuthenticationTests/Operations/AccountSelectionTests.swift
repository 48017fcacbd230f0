import Authenticators
import Foundation
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// A request that a server has sent without naming a user: any user of the device can answer it.
@Suite("Authentication of any user who is there")
struct AccountSelectionTests {
    private typealias Event = AuthenticationMachine<SDKValues>.Event
    private typealias Explorer = MachineExplorer<
        AuthenticationMachine<SDKValues>.Event, AuthenticationMachine<SDKValues>.Effect, (any AuthorizationProvider)?,
        CeremonyFailure
    >

    private let fixtures: Fixtures
    private let keys: [LocalCredential]

    init() throws {
        fixtures = try Fixtures()
        let anna = try Fixtures.unwrap(UserName("anna"))
        keys = [try fixtures.credential(1), try fixtures.credential(2, username: anna)]
    }

    private func explorer(
        naming named: [LocalCredential]? = nil, transactions: [Transaction] = [],
        _ change: (inout AuthenticationMachine<SDKValues>.Parameters) -> Void = { _ in }
    ) -> Explorer {
        var parameters = AuthenticationMachine<SDKValues>.Parameters()
        let request = fixtures.authenticationRequest(naming: named ?? keys, transactions: transactions)
        parameters.subject = .anyUser(request, expiry: .seconds(100), fixtures.server)
        parameters.hasAccountSelector = true
        parameters.hasSelector = true
        parameters.verifiable = [.pin]
        change(&parameters)
        return Explorer(
            makeDriver: { [parameters] in
                let holder = MachineHolder(AuthenticationMachine<SDKValues>(parameters))
                return .init(start: holder.start, resume: holder.resume)
            }, palette: path + [.choice(.given("absent")), .choice(.canceled), .choice(.timedOut)], done: .done,
            cancellation: .canceled)
    }

    private var path: [Event] {
        [
            .device(fixtures.device(keys)), .facet(.trusted(fixtures.facet)), .choice(.given("anna")),
            .choice(.given("F1D0#1001")), .protection(.unlocked), .secret(.given(SecretBytes("482915"))),
            .signature(.signed(assertion: [1])), .verdict(.accepted(nil)),
        ]
    }

    @Test("A pending key that the server names is promoted before the accounts are shown: it may be the only one")
    func promotion() throws {
        let pending = try fixtures.credential(3, .pending)
        let run = explorer(naming: [pending]).run([
            .device(fixtures.device([pending])), .facet(.trusted(fixtures.facet)), .done,
        ])
        guard run.effects.count == 4, case .promote([pending.id]) = run.effects[2],
            case .selectAccount(let question) = run.effects[3]
        else {
            Issue.record("another order of steps: \(run.effects)")
            return
        }
        #expect(question.candidates.map(\.username.text) == ["jeff"])
    }

    @Test("No request is fetched; account, authenticator and PIN are asked for, and the key of that account signs")
    func success() {
        let run = explorer().run(path)
        #expect(run.end?.hasPrefix("success") == true)
        guard case .selectAccount(let question) = run.effects[2], case .sign(let parameters, _, _) = run.effects[6]
        else {
            Issue.record("another order of steps: \(run.effects)")
            return
        }
        #expect(question.candidates.map(\.username.text) == ["jeff", "anna"])
        #expect(question.limit.expiry == .seconds(100))
        #expect(parameters.credential == keys[1].id)
    }

    @Test("Only accounts that the server accepts are candidates")
    func candidates() {
        let run = explorer(naming: [keys[0]]).run(Array(path.prefix(2)))
        guard case .selectAccount(let question) = run.effects.last else {
            Issue.record("no question was asked")
            return
        }
        #expect(question.candidates.map(\.username.text) == ["jeff"])
    }

    @Test("A name that is none of them ends with an error that the server is told", arguments: ["", "absent", "ANNA"])
    func unknownName(name: String) {
        let run = explorer().run(Array(path.prefix(2)) + [.choice(.given(name)), .done])
        #expect(run.code == .noSuitableAuthenticator)
        guard case .report = run.effects.last else {
            Issue.record("the server was not told")
            return
        }
    }

    @Test("Without any account that fits no question is asked")
    func noAccount() {
        let run = explorer().run([.device(fixtures.device()), .facet(.trusted(fixtures.facet)), .done])
        #expect(run.code == .noSuitableAuthenticator)
        #expect(run.effects.count == 3)
    }

    @Test("The text of the transaction comes with the question for the account")
    func transaction() {
        let text = Array("Pay 10 €".utf8)
        let run = explorer(transactions: [Transaction(contentType: .plainText, content: text)])
            .run(Array(path.prefix(2)))
        guard case .selectAccount(let question) = run.effects.last else {
            Issue.record("no question was asked")
            return
        }
        #expect(question.transactionText == text)
    }

    @Test("The account selector is required, and every event in every state ends")
    func robustness() {
        #expect(explorer { $0.hasAccountSelector = false }.run([]).end?.contains("accountSelector") == true)
        explorer().expectEveryEventEnds(along: [path])
        explorer().expectRandomEventsEnd(count: 1000)
    }
}
