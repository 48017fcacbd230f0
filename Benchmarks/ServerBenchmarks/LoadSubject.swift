/// Client that repeats an operation under load.
protocol LoadSubject: Sendable {
    /// Prepares the client, outside of the measurement.
    mutating func prepare() async throws

    /// Performs the operation once; throws unless it succeeds.
    mutating func work() async throws

    /// Closes the connections.
    mutating func hangUp() async throws
}
