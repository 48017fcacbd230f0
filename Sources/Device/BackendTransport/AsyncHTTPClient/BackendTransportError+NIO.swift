import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

extension BackendTransportError {
    /// What an error of the libraries means for the caller.
    init(reporting error: any Error, limit: Int) {
        switch error {
        case let error as BackendTransportError: self = error
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError: self = .responseTooLarge(limit: limit)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self = .untrustedConnection(.wrongHost)
        case is NIOSSLExtraError: self = .untrustedConnection(.handshake)
        case let error as NIOSSLError: self.init(tls: error)
        case is BoringSSLError: self = .untrustedConnection(.handshake)
        case is HTTPParserError: self = .malformedResponse
        case let error as HTTPClientError: self.init(client: error)
        default: self = .noConnection
        }
    }

    private init(tls error: NIOSSLError) {
        switch error {
        case .handshakeFailed(let cause):
            // The library names the reason only in its description.
            let isRefused = String(describing: cause).contains("CERTIFICATE_VERIFY_FAILED")
            self = .untrustedConnection(isRefused ? .untrustedCertificate : .handshake)
        case .unableToValidateCertificate, .noCertificateToValidate: self = .untrustedConnection(.untrustedCertificate)
        case .uncleanShutdown: self = .noConnection
        default: self = .untrustedConnection(.handshake)
        }
    }

    private init(client error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
            .tlsHandshakeTimeout:
            self = .timedOut
        case .cancelled: self = .cancelled
        case .invalidURL, .emptyHost, .emptyScheme: self = .unusableAddress
        default: self = .noConnection
        }
    }
}

extension TimeAmount {
    /// The same time, as long as the library can express it.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(min(seconds, 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
