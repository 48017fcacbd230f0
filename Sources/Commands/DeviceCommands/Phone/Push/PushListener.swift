import CommandSupport

/// Receiver of push messages that takes each of them once.
struct PushListener {
    let folder: PhoneFolder

    /// Waits for the next message; nil when none arrived within `patience`.
    ///
    /// The message counts as taken when `take` has returned: until then it is delivered again.
    func next(within patience: Duration, take: (PushMessage) async throws -> Void) async throws -> PushMessage? {
        guard var subscription = try folder.subscription() else {
            throw CommandFailure.local(
                "NotSubscribed",
                "this phone gets no push messages: name a push sink with signet device info change --push-sink URL")
        }
        let client = try PushSinkClient(sink: subscription.sink, authorities: subscription.authorities)
        let clock = ContinuousClock()
        let end = clock.now + patience
        repeat {
            let messages = try await client.messages(for: subscription, within: max(.zero, end - clock.now))
            if let first = messages.first {
                try await take(first)
                subscription.lastNumber = first.number
                try folder.keep(subscription)
                return first
            }
        } while clock.now < end
        return nil
    }
}
