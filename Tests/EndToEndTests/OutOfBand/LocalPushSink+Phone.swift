import DemoCommands
import DeviceCommands
import Testing

/// What a phone does at the sink.
extension LocalPushSink {
    /// Makes the registration token of a new phone.
    func registrationToken() async throws -> String { try await client.subscribe().token }

    /// The next message for a phone behind the one with a number; waits for it.
    func message(for token: String, after number: Int = 0) async throws -> PushMessage {
        let subscription = PushSubscription(sink: address, token: token, lastNumber: number)
        let messages = try await client.messages(for: subscription, within: .seconds(30))
        return try #require(messages.first, "no message within 30 seconds")
    }
}
