/// Hands the start of the sensor to the waiting operation.
final class FingerprintUserVerificationAnswer: FingerprintUserVerificationHandler {
    private let slot: AnswerSlot<PresenceRequest>
    private let listening = Listening()

    init(_ slot: AnswerSlot<PresenceRequest>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        slot.answer(.given(PresenceRequest(texts: nil, listening: listening)))
        return listening
    }

    func cancel() { slot.answer(.canceled) }
}
