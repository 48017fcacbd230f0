import NIOCore
import Octets

/// Gate before the TLS of one connection, which holds its first octets until the turn of its handshake has come.
///
/// Nothing more is read meanwhile. When the ``HandshakeQueue`` opens it, or has it pass at once, it leaves the pipeline. All of it
/// runs on the event loop of the connection.
final class HandshakeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let queue: HandshakeQueue
    private let origin: ConnectionOrigin
    private var context: ChannelHandlerContext?
    private var held: ByteBuffer?
    private var holdsRead = false
    /// The connection is closed, or its client has said that nothing more comes.
    private(set) var isClosed = false
    /// Key of the client's address; for the queue.
    private(set) var source = ""
    /// The handshake has begun and the first request has not come; for the queue.
    var isExpected = false

    /// Waits in `queue`, as one of those that come from where `origin` says when the first octets are there.
    init(_ queue: HandshakeQueue, _ origin: ConnectionOrigin) {
        self.queue = queue
        self.origin = origin
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if held != nil {
            held?.writeImmutableBuffer(unwrapInboundIn(data))
            return
        }
        source = origin.address?.networkKey ?? ""
        if queue.enter(self) {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } else {
            held = unwrapInboundIn(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if held == nil { context.fireChannelReadComplete() }
    }

    func read(context: ChannelHandlerContext) {
        if held == nil { context.read() } else { holdsRead = true }
    }

    /// Closes for a client that ends its side while it waits: it cannot make a handshake any more.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard held != nil, case .inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        context.fireChannelInactive()
    }

    /// Lets the handshake begin.
    func open() {
        guard let context, let octets = held.take() else { return }
        context.fireChannelRead(wrapInboundOut(octets))
        context.fireChannelReadComplete()
        if holdsRead { context.read() }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Closes the connection without a handshake.
    func close() {
        isClosed = true
        context?.close(promise: nil)
    }

    /// Tells the queue that the first request has come, or never will.
    func settle() { queue.settle(self) }
}
