/// How a task of the URL loading system has ended without a response, and what the port calls that.
///
/// Pure code: the system tells of a connection that a delegate has refused, and of a body that was cut off, only that
/// the task "was cancelled"; what was decided has to be remembered beside it.
struct LoadingFailure: Hashable, Sendable {
    /// The code of the `URLError`; nil for an error of another kind.
    let code: Int?
    /// What this transport has decided about the task before; it goes before the code.
    var decision: BackendTransportError?

    /// The error of the port.
    ///
    /// Never ``BackendTransportError/cancelled``: the caller knows whether they have cancelled, nobody else does.
    var meaning: BackendTransportError {
        if let decision { return decision }
        return switch code {
        // NSURLErrorTimedOut
        case -1_001: .timedOut
        // BadURL, UnsupportedURL
        case -1_000, -1_002: .unusableAddress
        // AppTransportSecurityRequiresSecureConnection
        case -1_022: .insecureAddress
        // SecureConnectionFailed, ClientCertificateRejected, ClientCertificateRequired
        case -1_200, -1_205, -1_206: .untrustedConnection(.handshake)
        // ServerCertificateHasBadDate, Untrusted, HasUnknownRoot, NotYetValid
        case -1_201, -1_202, -1_203, -1_204: .untrustedConnection(.untrustedCertificate)
        // BadServerResponse, CannotDecodeRawData, CannotDecodeContentData, CannotParseResponse
        case -1_011, -1_015, -1_016, -1_017: .malformedResponse
        default: .noConnection
        }
    }
}
