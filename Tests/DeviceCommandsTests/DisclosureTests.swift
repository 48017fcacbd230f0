import Octets
import StrictJSON
import TestSupport
import Testing

@testable import DemoCommands
@testable import DeviceCommands

@Suite("SDK-15: what the phone's commands hold of links, digits, tokens and secrets is not printed")
struct DisclosureTests {
    private static let canary = "canary7f3a9c51d2"

    @Test("Nothing shows them")
    func printing() throws {
        var step = ScriptStep(action: .changePin)
        (step.secret, step.newSecret) = (Sensitive(Self.canary), Sensitive(Self.canary))
        step.evidence = .token(Sensitive(Self.canary))
        let message = try PushMessage(
            json: try JSONParser.parse(#"{"number":1,"data":{"nma_data":"\#(Self.canary)"}}"#))
        var parameters = RegistrationParameters(deviceName: "phone")
        parameters.pushToken = Self.canary
        let values: [Any] = [
            step, message, parameters, PushSubscription(sink: "https://sink.example", token: Self.canary),
            BegunOperation(["sessionId": .string("s"), "digits": .string(Self.canary), "link": .string(Self.canary)]),
            OperationReply(digits: Sensitive(Self.canary)),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value), "\(type(of: value))") }
        #expect(message.payload.contains(Self.canary), "code that answers the message gets its payload")
    }
}
