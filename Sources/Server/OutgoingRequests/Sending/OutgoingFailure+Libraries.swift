import NIOCore
import NIOHTTP1
import NIOSSL
import OpenID
import ServerCore

extension OutgoingFailure {
    init(reporting error: any Error) {
        switch error {
        case let error as OutgoingFailure: self = error
        case let error as NIOSSLError: self = error.isLostConnection ? .unreachable : .tlsRefused
        case is NIOSSLExtraError, is BoringSSLError: self = .tlsRefused
        case let error as ChannelError: self = error.isTimeout ? .timedOut : .unreachable
        case let error as HTTPParserError: self = error == .headerOverflow ? .tooLong : .unreachable
        default: self = .unreachable
        }
    }
}

extension NIOSSLError {
    fileprivate var isLostConnection: Bool {
        if case .uncleanShutdown = self { true } else { false }
    }
}

extension ChannelError {
    fileprivate var isTimeout: Bool {
        if case .connectTimeout = self { true } else { false }
    }
}
