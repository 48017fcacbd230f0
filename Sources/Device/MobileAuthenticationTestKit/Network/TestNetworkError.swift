/// Why there is no answer.
public enum TestNetworkError: Error, Hashable, Sendable {
    /// The server is not reached, or the connection breaks.
    case noConnection
    /// The answer does not come in time.
    case timedOut
}
