import NIOCore
import NIOPosix
import NIOSSL

/// TLS server on loopback that answers each request with octets as a test wants them.
struct HostileServer {
    /// Answer of the server.
    enum Behaviour: Sendable {
        /// Octets at once, again and again, for as long as the client reads.
        case flood(head: String, piece: String)
        /// One octet after the other, with a pause in between.
        case drip(String, every: TimeAmount)
        /// Octets at once, and then an end of the connection.
        case say(String, then: End)
    }

    /// What follows an answer.
    enum End: Sendable, CaseIterable {
        /// The connection ends, with the farewell of TLS.
        case close
        /// The connection ends without it.
        case cut
        /// The connection stays open.
        case open
    }

    let port: Int
    private let channel: any Channel

    /// Opens the server.
    static func open(_ tls: TLSConfiguration, _ behaviour: Behaviour) async throws -> HostileServer {
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(HostileServerAnswer(behaviour))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return HostileServer(port: channel.localAddress?.port ?? 0, channel: channel)
    }

    func close() async throws { try await channel.close() }
}

/// Answer on one connection, which begins with the first octets of the request.
private final class HostileServerAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let behaviour: HostileServer.Behaviour
    private var hasBegun = false
    private var request = ""

    init(_ behaviour: HostileServer.Behaviour) { self.behaviour = behaviour }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard !hasBegun, isWhole else { return }
        hasBegun = true
        let channel = context.channel
        switch behaviour {
        case .flood(let head, let piece):
            channel.writeAndFlush(ByteBuffer(string: head), promise: nil)
            Self.flood(channel, ByteBuffer(string: piece))
        case .drip(let text, let pause):
            Self.drip(channel, Array(text.utf8)[...], every: pause)
        case .say(let text, let end):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            switch end {
            case .close: context.close(promise: nil)
            case .cut:
                try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
            case .open: break
            }
        }
    }

    /// Whether the whole request has come: a connection that ends with unread octets would be reset, and its answer lost.
    private var isWhole: Bool {
        guard case .say = behaviour else { return true }
        return request.hasSuffix("{}") || request.hasPrefix("GET") && request.hasSuffix("\r\n\r\n")
    }

    /// Writes until the connection is closed, with pauses in which the event loop serves others.
    private static func flood(_ channel: any Channel, _ piece: ByteBuffer) {
        channel.writeAndFlush(piece).whenSuccess {
            channel.eventLoop.scheduleTask(in: .milliseconds(1)) { flood(channel, piece) }
        }
    }

    /// Writes the next octet after a pause, and so on until there is none or the connection is closed.
    private static func drip(_ channel: any Channel, _ rest: ArraySlice<UInt8>, every pause: TimeAmount) {
        guard let next = rest.first, channel.isActive else { return }
        channel.eventLoop.scheduleTask(in: pause) {
            channel.writeAndFlush(ByteBuffer(bytes: [next]), promise: nil)
            drip(channel, rest.dropFirst(), every: pause)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
