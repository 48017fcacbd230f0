/// What came of redeeming a token.
enum OutOfBandOutcome: Sendable {
    /// The server waits for an answer.
    case begun(OutOfBandRedemption)
    /// The server has taken registrations back, and what it named is gone here as well.
    case deregistered
}
