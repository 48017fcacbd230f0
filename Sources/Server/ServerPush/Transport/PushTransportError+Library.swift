import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

extension PushTransportError {
    /// What an error of the libraries means.
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
