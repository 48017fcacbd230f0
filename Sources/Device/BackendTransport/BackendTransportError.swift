/// Why there is no response.
@nonexhaustive
package enum BackendTransportError: Error, Hashable, Sendable {
    /// The address is not an absolute URL with a host: correct the configuration.
    case unusableAddress
    /// The address is not `https`; nothing was sent.
    case insecureAddress
    /// A header field holds a character that would end it; nothing was sent.
    case unusableHeaderField
    /// The server could not be reached, or the connection broke: try again later.
    case noConnection
    /// There was a server, but no trustworthy connection to it; nothing was sent.
    case untrustedConnection(TLSFailure)
    /// The exchange took longer than allowed: try again later.
    case timedOut
    /// The body has more bytes than the request allows.
    case responseTooLarge(limit: Int)
    /// What came back is not HTTP.
    case malformedResponse
    /// The trust settings are unusable (a file of certificates that cannot be read).
    case unusableTrustSettings
    /// The task was cancelled.
    case cancelled
}
