import CommandSupport
import StrictJSON
import Testing

@testable import ServerCommands

@Suite("signet-server users add --invite: what to do with the invitation")
struct InvitationTests {
    private func advice(_ dispatched: JSONObject) -> [String] {
        let added = CommandReport.Outcome(text: "Added anna.", result: [:])
        let outcome = Invitation(
            name: GivenName(argument: "anna"), origin: "https://127.0.0.1:8443", authorityFile: "data/tls/ca.pem"
        )
        .outcome(after: added, CommandReport.Outcome(text: "Dispatched.", result: dispatched))
        return outcome.text.description.split(separator: "\n").map(String.init)
    }

    @Test("A link goes into a file, and no command has it among its arguments")
    func link() {
        let lines = advice(["link": .string("signet://open?dispatchTokenResponse=c2VjcmV0"), "file": .null])
        #expect(lines.contains("  signet device open --device phone link.txt"))
        #expect(lines.contains { $0.hasPrefix("Put the link into link.txt first") })
        #expect(!lines.contains { $0.contains("c2VjcmV0") })
    }

    @Test("A picture is scanned, and nothing is said of links")
    func picture() {
        let lines = advice(["link": .string("signet://open"), "file": .string("my code.png")])
        #expect(lines.contains("  signet device scan --device phone 'my code.png'"))
        #expect(!lines.contains { $0.contains("link.txt") })
    }
}
