/// Why there is no answer.
enum PushTransportError: Error, Hashable, Sendable {
    /// The service could not be reached, or the connection broke.
    case noConnection
    /// The service took longer than it may.
    case timedOut
    /// There was a server, but no trustworthy connection to it; nothing was sent.
    case untrusted
    /// The proxy wants another login, or refuses.
    case proxyRefused
    /// What came back is no HTTP, or more of it than is read.
    case malformed
    /// We are being stopped.
    case cancelled
}
