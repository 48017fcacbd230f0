import BackendAPI
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF

@testable import SignetCommands

@Suite("SDK-15: what the commands hold of links, digits, tokens and secrets is not printed")
struct DisclosureTests {
    private static let canary = "canary7f3a9c51d2"

    @Test("Nothing but the report that is meant for its reader shows them")
    func printing() throws {
        let operation = DispatchedOperation(
            operation: .authentication, token: Sensitive(Self.canary), sessionID: "session",
            expiresAt: SystemWallClock().now(), linking: ShownChannelLinking(mode: .typed, digits: Self.canary),
            dispatcher: .link,
            delivery: .code(
                ShownCode(text: Self.canary), link: Sensitive(Self.canary), picture: Sensitive(Self.canary), file: nil),
            location: "")
        var step = ScriptStep(action: .changePin)
        (step.secret, step.newSecret) = (Sensitive(Self.canary), Sensitive(Self.canary))
        step.evidence = .token(Sensitive(Self.canary))
        let message = try PushMessage(
            json: try JSONParser.parse(#"{"number":1,"data":{"nma_data":"\#(Self.canary)"}}"#))
        let values: [Any] = [
            operation, step, message, PushSubscription(sink: "https://sink.example", token: Self.canary),
            BegunOperation(["sessionId": .string("s"), "digits": .string(Self.canary), "link": .string(Self.canary)]),
            OperationReply(digits: Sensitive(Self.canary)),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value), "\(type(of: value))") }
        #expect(operation.outcome.text.contains(Self.canary), "whoever dispatches gets the link")
    }
}
