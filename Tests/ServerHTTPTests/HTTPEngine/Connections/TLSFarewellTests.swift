import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

/// The end of a connection whose client is slow to read: its last write completes inside a later call of the TLS handler.
///
/// A close from there left the handler with the state from before and with a running timer, which then ended the process.
@Suite("Connections: the farewell of TLS")
struct TLSFarewellTests {
    /// A socket that is full: what is written waits for the flush after it.
    private final class FullSocket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        var isFull = false
        private var written: [EventLoopPromise<Void>] = []
        private var flushed: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard isFull, let promise else { return context.write(data, promise: promise) }
            context.write(data, promise: nil)
            written.append(promise)
        }

        func flush(context: ChannelHandlerContext) {
            context.flush()
            drain()
        }

        /// Takes the end of the output as real sockets do; the channel around this one would close as a whole.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if case .output = mode { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
        }

        /// Completes what was flushed before.
        func drain() {
            let leaving = flushed
            (flushed, written) = (written, [])
            for promise in leaving { promise.succeed() }
        }
    }

    private let loop = EmbeddedEventLoop()
    private let socket = FullSocket()
    private let server: EmbeddedChannel
    private let client: EmbeddedChannel

    init() throws {
        let probe = try TLSProbe.ecdsa()
        let identity = try NIOSSLContext(configuration: try probe.identity.tlsConfiguration())
        let trust = try NIOSSLContext(configuration: try probe.client { _ in })
        (server, client) = (EmbeddedChannel(loop: loop), EmbeddedChannel(loop: loop))
        let pipeline = server.pipeline.syncOperations
        try pipeline.addHandlers([socket, NIOSSLServerHandler(context: identity)])
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(
            RequestGate(requestTime: .seconds(60), idleTime: .seconds(60), origin: ConnectionOrigin(nil)))
        try client.pipeline.syncOperations.addHandler(
            try NIOSSLClientHandler(context: trust, serverHostname: "localhost"))
        let place = try SocketAddress(unixDomainSocketPath: "/a")
        for channel in [server, client] { channel.connect(to: place, promise: nil) }
        try exchange()
    }

    /// Carries octets to and fro until neither has more to say.
    private func exchange() throws {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            while let octets = try client.readOutbound(as: ByteBuffer.self) {
                isQuiet = false
                try server.writeInbound(octets)
            }
            while let octets = try server.readOutbound(as: ByteBuffer.self) {
                isQuiet = false
                try client.writeInbound(octets)
            }
        }
    }

    @Test("S-H3: an answer that leaves while the writer finishes does not disturb the farewell of TLS")
    func lateWrite() throws {
        try client.writeOutbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        try exchange()
        try #require(try server.readInbound(as: HTTPServerRequestPart.self) != nil)
        socket.isFull = true
        let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
        server.write(HTTPServerResponsePart.head(head), promise: nil)
        server.write(HTTPServerResponsePart.end(nil), promise: nil)
        server.flush()
        server.close(mode: .output, promise: nil)
        socket.drain()
        loop.run()
        // Longer than the handler waits for the farewell of the client.
        loop.advanceTime(by: .seconds(60))
        #expect(!server.isActive)
    }

    @Test("The connection ends as soon as both have said farewell: what the client sends behind it is not kept")
    func bothSides() throws {
        server.allowRemoteHalfClosure = true
        try client.writeOutbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        try exchange()
        try #require(try server.readInbound(as: HTTPServerRequestPart.self) != nil)
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
        server.write(HTTPServerResponsePart.head(head), promise: nil)
        server.write(HTTPServerResponsePart.end(nil), promise: nil)
        server.flush()
        loop.run()
        #expect(server.isActive, "the client has not said farewell")
        try exchange()
        loop.run()
        #expect(!server.isActive)
    }

    @Test("S-H3: a client that never reads the last answer does not keep its connection")
    func unreadAnswer() throws {
        try client.writeOutbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        try exchange()
        try #require(try server.readInbound(as: HTTPServerRequestPart.self) != nil)
        socket.isFull = true
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
        server.write(HTTPServerResponsePart.head(head), promise: nil)
        server.write(HTTPServerResponsePart.end(nil), promise: nil)
        server.flush()
        loop.run()
        #expect(server.isActive, "the answer has not left")
        // The idle time, and longer than the handler of TLS then waits for the farewell of the client.
        loop.advanceTime(by: .seconds(60))
        loop.advanceTime(by: .seconds(60))
        #expect(!server.isActive)
    }
}
