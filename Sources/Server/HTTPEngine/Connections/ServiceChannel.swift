import HummingbirdCore
package import LoadControl
package import Logging
package import NIOCore
import NIOHTTP1
import NIOSSL
import Octets

/// Sets up each connection: who may have it, the proxy's header, TLS, HTTP with its ``RequestGate``.
package struct ServiceChannel: ServerChildChannel {
    /// A connection that is served, or one too many of its address.
    package enum Value: ServerChildChannelValue {
        case open(any Channel)
        case refused(any Channel)

        package var channel: any Channel {
            switch self {
            case .open(let channel), .refused(let channel): channel
            }
        }
    }

    private let service: RequestService
    private let identity: ServingIdentity?
    private let proxies: FrontProxies
    private let counter: ConnectionCounter
    private let limits: ConnectionLimits
    private let load: LoadController
    private let executors = EventLoopExecutors()
    private let handshakes: HandshakeQueues
    private let connections: OpenConnections

    /// Sets up the connections of a listener, which speaks TLS where it has an identity; `connections` knows those that are open.
    package init(
        service: RequestService, identity: ServingIdentity?, proxies: FrontProxies, limits: ConnectionLimits,
        load: LoadController, connections: OpenConnections
    ) {
        self.service = service
        self.identity = identity
        self.proxies = proxies
        self.limits = limits
        self.load = load
        self.connections = connections
        counter = ConnectionCounter(limit: limits.countPerAddress)
        handshakes = HandshakeQueues(load)
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        let origin = ConnectionOrigin(peer)
        let isProxy = peer.map(proxies.contain) ?? false
        // A proxy brings the connections of many; whom they belong to is known when its header is read, or never.
        guard isProxy || Self.enter(counter, peer, channel) else {
            return channel.eventLoop.makeSucceededFuture(.refused(channel))
        }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if isProxy && proxies.sendHeader {
                try pipeline.addHandler(headerReader(origin, channel))
            }
            var handshake: HandshakeGate?
            if let identity {
                let gate = HandshakeGate(
                    handshakes.scheduler(of: channel.eventLoop), origin, isShared: isProxy && !proxies.sendHeader)
                try pipeline.addHandlers([gate, NIOSSLServerHandler(context: Self.enter(identity, channel))])
                handshake = gate
            }
            connections.add(channel, try addHTTP(to: pipeline, origin, handshake))
            if let peer, !isProxy { connections.assign(channel, to: peer) }
            return .open(channel)
        }
    }

    /// Octets that wait in the decoder at most, which takes no more after a request for another protocol.
    private static let undecodedByteCount = 64 * 1_024

    /// Adds the handlers of HTTP/1.1, the gate between decoder and runner; the octets pass the gate before they are decoded.
    private func addHTTP(
        to pipeline: ChannelPipeline.SynchronousOperations, _ origin: ConnectionOrigin, _ handshake: HandshakeGate?
    ) throws -> ConnectionWork {
        let gate = RequestGate(
            requestTime: limits.requestTime, idleTime: limits.idleTime, load: load, origin: origin, handshake: handshake
        )
        let work = ConnectionWork()
        try pipeline.addHandler(AnswerGathering())
        try pipeline.addHandler(RequestGateInput(gate))
        try pipeline.addHandlers(Self.codec(headerByteCount: limits.headerByteCount))
        try pipeline.addHandler(gate)
        try pipeline.addHandler(
            RequestRunner(
                bodyLimit: limits.bodyByteCount, origin: origin, work: work,
                executor: executors.executor(of: pipeline.eventLoop), service: service))
        return work
    }

    /// Encoder of answers and decoder of requests; times, pipelining and errors are seen to by the gate behind them.
    static func codec(headerByteCount: Int) -> [any ChannelHandler] {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = headerByteCount
        limits.maxHeaderListSize = headerByteCount
        limits.maxHeaderFieldCount = 100
        let decoder = HTTPRequestDecoder(limitConfiguration: limits)
        return [HTTPResponseEncoder(), ByteToMessageHandler(decoder, maximumBufferSize: undecodedByteCount)]
    }

    /// Closes what is refused; the others are looked after by ``OpenConnections``, without a task of their own.
    package func handle(value: Value, logger: Logger) async {
        if case .refused(let channel) = value { channel.close(promise: nil) }
    }

    private func headerReader(_ origin: ConnectionOrigin, _ channel: any Channel) -> ProxyHeaderReader {
        let (counter, proxies, connections) = (counter, proxies, connections)
        return ProxyHeaderReader { header in
            guard let source = header.source else { return true }
            origin.address = source
            if !proxies.contain(source) { connections.assign(channel, to: source) }
            return proxies.contain(source) || Self.enter(counter, source, channel)
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
