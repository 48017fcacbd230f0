import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A client that sends any octets over a real socket and waits for what comes back, without sleeping.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let received: ReceivedOctets

    private init(_ channel: any Channel, _ received: ReceivedOctets) {
        self.channel = channel
        self.received = received
    }

    /// Connects to a server on this machine, from any loopback address (on Linux all of 127.0.0.0/8 are).
    ///
    /// With `tls` the octets go through it; they are sent when the handshake is done. A deaf client reads nothing, and
    /// does not notice when the server goes.
    static func open(
        port: Int, from address: String = "127.0.0.1", tls: TLSConfiguration? = nil, isDeaf: Bool = false
    ) async throws -> RawConnection {
        let received = ReceivedOctets()
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        var options = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.minutes(5))
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .channelOption(ChannelOptions.autoRead, value: !isDeaf)
        // A small window, so that a few answers fill it.
        if isDeaf { options = options.channelOption(ChannelOptions.socketOption(.so_rcvbuf), value: 4_096) }
        let bootstrap = options.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let context {
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                }
                try pipeline.addHandler(OctetReceiver(received))
            }
        }
        let channel = try await bootstrap.bind(to: SocketAddress(ipAddress: address, port: 0))
            .connect(host: "127.0.0.1", port: port).get()
        return RawConnection(channel, received)
    }

    /// Sends text; a server that has closed already is no error.
    func send(_ text: String) async {
        await send(Array(text.utf8))
    }

    /// Sends octets; a server that has closed already is no error.
    func send(_ octets: [UInt8]) async {
        try? await channel.writeAndFlush(ByteBuffer(bytes: octets)).get()
    }

    /// Sends text as far as the server takes it, and does not wait for that.
    func sendWithoutWaiting(_ text: String) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// Sends text again and again, until the connection is closed; far more often than any time limit of a server.
    func trickle(_ text: String) {
        let octets = ByteBuffer(string: text)
        let channel = channel
        let task = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
            channel.writeAndFlush(octets, promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    /// Ends the connection from this side.
    func close() async {
        try? await channel.close().get()
    }

    /// Says that nothing more comes from this side, and can still receive.
    func closeOutput() async {
        try? await channel.close(mode: .output).get()
    }

    /// Everything received, once the server has ended the connection.
    func untilClosed() async -> String {
        await received.text { _, isClosed in isClosed }
    }

    /// Everything received, once `mark` has come `count` times or the server has ended the connection.
    func until(_ mark: String, count: Int = 1) async -> String {
        await received.text { text, isClosed in isClosed || text.ranges(of: mark).count >= count }
    }
}

/// What one connection has received.
final class ReceivedOctets: Sendable {
    private typealias Condition = @Sendable (String, Bool) -> Bool

    private struct State {
        var octets: [UInt8] = []
        var isClosed = false
        var waiting: [(condition: Condition, continuation: CheckedContinuation<String, Never>)] = []

        var text: String { String(decoding: octets, as: UTF8.self) }
    }

    private let state = Mutex(State())

    /// The text as soon as `condition` holds for it and for whether the connection has ended.
    func text(when condition: @escaping @Sendable (String, Bool) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            update { $0.waiting.append((condition, continuation)) }
        }
    }

    fileprivate func append(_ octets: ByteBuffer) {
        update { $0.octets += octets.readableBytesView }
    }

    fileprivate func end() {
        update { $0.isClosed = true }
    }

    private func update(_ change: (inout State) -> Void) {
        let (ready, text) = state.withLock { state in
            change(&state)
            let (text, isClosed) = (state.text, state.isClosed)
            let ready = state.waiting.filter { $0.condition(text, isClosed) }.map(\.continuation)
            state.waiting.removeAll { $0.condition(text, isClosed) }
            return (ready, text)
        }
        for continuation in ready { continuation.resume(returning: text) }
    }
}

/// Handler that hands over what one connection receives.
final class OctetReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: ReceivedOctets

    init(_ received: ReceivedOctets) {
        self.received = received
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { received.end() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        received.end()
    }
}
