import HummingbirdCore
import LoadControl
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Octets
import ServerCore

/// Sets up each connection: who may have it, the proxy's header, TLS, HTTP with its ``RequestGate``.
struct ServiceChannel: ServerChildChannel {
    /// A connection that is served, or one too many of its address.
    enum Value: ServerChildChannelValue {
        case open(HTTP1Channel.Value, ConnectionOrigin)
        case refused(any Channel)

        var channel: any Channel {
            switch self {
            case .open(let connection, _): connection.channel
            case .refused(let channel): channel
            }
        }
    }

    let http: HTTP1Channel
    let identity: ServingIdentity?
    let proxies: ProxySettings
    let counter: ConnectionCounter
    let limits: RequestLimits
    let load: LoadController

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        let origin = ConnectionOrigin(peer)
        let isProxy = peer.map(proxies.trusts) ?? false
        // A proxy brings the connections of many; whom they belong to is known when its header is read, or never.
        guard isProxy || Self.enter(counter, peer, channel) else {
            return channel.eventLoop.makeSucceededFuture(.refused(channel))
        }
        let gate = RequestGate(
            requestTime: limits.bodyTime, idleTime: limits.idleTime, load: load, origin: origin)
        do {
            let pipeline = channel.pipeline.syncOperations
            if isProxy && proxies.preamble == .v2 {
                try pipeline.addHandler(headerReader(origin, channel))
            }
            if let identity {
                try pipeline.addHandler(NIOSSLServerHandler(context: Self.enter(identity, channel)))
            }
            try pipeline.addHandler(RequestGateInput(gate))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http.setup(channel: channel, logger: logger).assumeIsolated().flatMapThrowing { connection in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(gate, position: .after(decoder))
            return .open(connection, origin)
        }.nonisolated()
    }

    func handle(value: Value, logger: Logger) async {
        switch value {
        case .open(let connection, let origin):
            await ConnectionOrigin.$current.withValue(origin) {
                await http.handle(value: connection, logger: logger)
            }
        case .refused(let channel): channel.close(promise: nil)
        }
    }

    private func headerReader(_ origin: ConnectionOrigin, _ channel: any Channel) -> ProxyHeaderReader {
        let (counter, proxies) = (counter, proxies)
        return ProxyHeaderReader { header in
            guard let source = header.source else { return true }
            origin.address = source
            return proxies.trusts(source) || Self.enter(counter, source, channel)
        }
    }

    /// Context of the identity that the connection is made with, which counts it until it is closed.
    private static func enter(_ identity: ServingIdentity, _ channel: any Channel) -> NIOSSLContext {
        let (context, generation) = identity.enter()
        channel.closeFuture.whenComplete { _ in identity.leave(generation) }
        return context
    }

    /// Counts the connection until it is closed; false when its address has all it may.
    private static func enter(_ counter: ConnectionCounter, _ address: IPAddress?, _ channel: any Channel) -> Bool {
        let network = address?.networkKey ?? ""
        guard counter.enter(network) else { return false }
        channel.closeFuture.whenComplete { _ in counter.leave(network) }
        return true
    }
}
