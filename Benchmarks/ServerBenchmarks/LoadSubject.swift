/// What does the same again and again under load.
protocol LoadSubject: Sendable {
    /// Gets ready; nothing is counted.
    mutating func prepare() async throws

    /// Does it once, and throws unless it succeeds.
    mutating func work() async throws

    /// Closes its connections.
    mutating func hangUp() async throws
}
