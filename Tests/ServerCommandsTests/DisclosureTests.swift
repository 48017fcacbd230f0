import BackendAPI
import CommandSupport
import Octets
import ServerCore
import TestSupport
import Testing
import UAF

@testable import ServerCommands

@Suite("SDK-15: what the server's commands hold of links, digits and tokens is not printed")
struct DisclosureTests {
    private static let canary = "canary7f3a9c51d2"

    @Test("Nothing but the report that is meant for its reader shows them")
    func printing() {
        let operation = DispatchedOperation(
            operation: .authentication, token: Sensitive(Self.canary), sessionID: "session",
            expiresAt: "later", origin: "https://127.0.0.1:8443",
            linking: ShownChannelLinking(mode: .typed, digits: Self.canary),
            dispatcher: .link,
            delivery: .code(
                ShownCode(text: Self.canary), link: Sensitive(Self.canary), picture: Sensitive(Self.canary), file: nil),
            location: "")
        #expect(!Disclosure.shows(Self.canary, in: operation))
        #expect(operation.outcome.text.description.contains(Self.canary), "the command that dispatches shows the link")
    }
}
