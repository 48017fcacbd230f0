import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import StrictJSON
import TestSupport
import Testing

@testable import ServerCommands

@Suite("signet-server users add --invite: what to do with the invitation")
struct InvitationTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func advice(_ dispatched: JSONObject) throws -> [String] {
        let path = folder.path + "/server.yml"
        try PosixFiles().write(Array("data-directory: data\n".utf8), to: path, mode: 0o600)
        let deployment = try ConfigurationFile(path: path, dataDirectory: nil).deployment()
        let added = CommandReport.Outcome(text: "Added anna.", result: [:])
        let outcome = Invitation(
            name: GivenName(argument: "anna"), origin: "https://127.0.0.1:8443", deployment: deployment
        )
        .outcome(after: added, CommandReport.Outcome(text: "Dispatched.", result: dispatched))
        return outcome.text.description.split(separator: "\n").map(String.init)
    }

    @Test("A link goes into a file, and no command has it among its arguments")
    func link() throws {
        let lines = try advice(["link": .string("signet://open?dispatchTokenResponse=c2VjcmV0"), "file": .null])
        #expect(lines.contains("  signet device open --device phone link.txt"))
        #expect(lines.contains { $0.hasPrefix("Put the link into link.txt first") })
        #expect(!lines.contains { $0.contains("c2VjcmV0") })
    }

    @Test("A picture is scanned, and nothing is said of links")
    func picture() throws {
        let lines = try advice(["link": .string("signet://open"), "file": .string("my code.png")])
        #expect(lines.contains("  signet device scan --device phone 'my code.png'"))
        #expect(!lines.contains { $0.contains("link.txt") })
    }
}
