import CommandSupport
import StrictJSON
import Testing

@testable import DeviceCommands

@Suite("Where push messages arrive is remembered, and messages are read strictly")
struct PushSubscriptionTests {
    private static let message =
        #"{"number":3,"name":"m","notification":{"title":"Sign in","body":"Laptop"},"data":{"nma_data":"x"}}"#

    @Test("A subscription reads what it has written")
    func roundTrip() throws {
        var subscription = PushSubscription(sink: "https://127.0.0.1:9443", authorities: "PEM", token: "t:1")
        subscription.lastNumber = 7
        #expect(try PushSubscription(json: subscription.json) == subscription)
        subscription.authorities = nil
        #expect(try PushSubscription(json: subscription.json) == subscription)
    }

    @Test("A subscription of another version is refused")
    func version() throws {
        let text = #"{"version":2,"sink":"https://a.example","token":"t","lastNumber":0}"#
        #expect(throws: JSONTypeError.self) { try PushSubscription(json: JSONParser.parse(text)) }
    }

    @Test("A message has a number, perhaps a notification, and the payload as a document")
    func message() throws {
        let message = try PushMessage(json: JSONParser.parse(Self.message))
        #expect(message.number == 3 && message.title == "Sign in" && message.body == "Laptop")
        #expect(message.payload == #"{"nma_data":"x"}"#)
    }

    @Test("A message that was kept in a file is not repeated beside it")
    func keptMessage() throws {
        let message = try PushMessage(json: JSONParser.parse(Self.message))
        let kept = message.outcome(in: "message.json")
        #expect(kept.result["payload"] == nil && kept.result["file"] == .string("message.json"))
        #expect(kept.text == "Sign in: Laptop\nThe message is in message.json.")
        let shown = message.outcome(in: nil)
        #expect(shown.result["payload"] == .string(#"{"nma_data":"x"}"#) && shown.result["file"] == nil)
        #expect(shown.text.description.hasSuffix(#"{"nma_data":"x"}"#))
    }

    @Test("A message without number or payload is refused", arguments: [#"{"data":{}}"#, #"{"number":1}"#, "[]"])
    func malformed(_ text: String) {
        #expect(throws: JSONTypeError.self) { try PushMessage(json: JSONParser.parse(text)) }
    }
}
