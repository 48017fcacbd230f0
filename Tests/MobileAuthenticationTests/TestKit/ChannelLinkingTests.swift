import MobileAuthentication
import MobileAuthenticationTestKit
import Synchronization
import Testing

@Suite("A scripted user links screens")
@MainActor
struct ChannelLinkingTests {
    private struct Demand: ChannelLinkingContext {
        var username = "anna"
        var mode = ChannelLinkingMode.typed
        var digitCount = 2
        var digits: String?
        var transactionConfirmationData: Data?
        var lastRecoverableError: ChannelLinkingError? { nil }

        func encode(to encoder: any Encoder) throws {}
    }

    private final class Answer: ChannelLinkingHandler {
        private let kept = Mutex<[String]>([])

        var texts: [String] { kept.withLock { $0 } }

        private func keep(_ text: String) { kept.withLock { $0.append(text) } }

        func digits(_ digits: String) { keep(digits) }

        func confirm() { keep("confirmed") }

        func cancel() { keep("canceled") }

        func cancel(reporting report: CancellationReport) { keep(report.rawValue) }
    }

    private func answers(_ demand: Demand, digits: String?, _ reaction: Reaction = .approve) -> [String] {
        let user = ScriptedUser()
        user.digits = digits
        user.next(reaction)
        let answer = Answer()
        user.linkChannel(context: demand, handler: answer)
        #expect(user.promptCount(.linkChannel) == 1)
        return answer.texts
    }

    @Test("He types what he reads, and cannot type what he does not")
    func typing() {
        #expect(answers(Demand(), digits: "42") == ["42"])
        #expect(answers(Demand(), digits: nil) == ["canceled"])
        #expect(answers(Demand(), digits: "42", .enter("17")) == ["17"])
    }

    @Test("He confirms digits that are the same, and no others")
    func comparing() {
        var demand = Demand()
        (demand.mode, demand.digits) = (.compare, "731")
        #expect(answers(demand, digits: "731") == ["confirmed"])
        #expect(answers(demand, digits: nil) == ["confirmed"])
        #expect(answers(demand, digits: "137") == ["canceled"])
    }

    @Test("He denies, with a report or without")
    func denying() {
        #expect(answers(Demand(), digits: "42", .deny) == ["canceled"])
        #expect(answers(Demand(), digits: "42", .denyAndReport) == ["unexpected"])
    }
}
