import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Failure to get a response.
enum PushTransportError: Error, Hashable, Sendable {
    /// The service could not be reached, or the connection broke.
    case noConnection
    case timedOut
    /// There was a server, but no trustworthy connection to it; nothing was sent.
    case untrusted
    /// The proxy wants another login, or refuses.
    case proxyRefused
    /// The response is no HTTP, or more of it than is read.
    case malformed
    case cancelled
}

extension PushTransportError {
    init(reporting error: any Error) {
        switch error {
        case let error as PushTransportError: self = error
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError, is HTTPParserError: self = .malformed
        case let error as NIOSSLError: self = error.isLostConnection ? .noConnection : .untrusted
        case is NIOSSLExtraError, is BoringSSLError: self = .untrusted
        case let error as HTTPClientError: self.init(client: error)
        default: self = .noConnection
        }
    }

    private init(client error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
            .tlsHandshakeTimeout:
            self = .timedOut
        case .cancelled: self = .cancelled
        case .proxyAuthenticationRequired, .invalidProxyResponse: self = .proxyRefused
        default: self = .noConnection
        }
    }
}

extension NIOSSLError {
    fileprivate var isLostConnection: Bool {
        if case .uncleanShutdown = self { true } else { false }
    }
}
