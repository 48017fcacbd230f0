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

    private enum State {
        /// Nothing has come.
        case new
        /// These octets wait.
        case waiting(ByteBuffer)
        /// The handshake has begun; the gate is on its way out.
        case begun
        case closed
    }

    private let queue: HandshakeQueue
    private let origin: ConnectionOrigin
    private let isShared: Bool
    private var context: ChannelHandlerContext?
    private var state = State.new
    private var holdsRead = false
    /// Key of the client's address, nil where many clients share it; for the queue.
    private(set) var source: String?
    /// It counts as one of its address; for the queue.
    var isCounted = false
    /// The handshake has begun lately and the first request has not come; for the queue.
    var isExpected = false

    /// Waits in `queue`, together with the other handshakes from the address that `origin` has when the first octets
    /// are there; `isShared` where it is the address of a proxy, which says nothing of its clients.
    init(_ queue: HandshakeQueue, _ origin: ConnectionOrigin, isShared: Bool = false) {
        self.queue = queue
        self.origin = origin
        self.isShared = isShared
    }

    /// The connection is closed, or its client has said that nothing more comes.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    private var isWaiting: Bool { if case .waiting = state { true } else { false } }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .new:
            source = isShared ? nil : origin.address?.networkKey ?? ""
            if queue.enter(self) { begin(with: data, context) } else { state = .waiting(unwrapInboundIn(data)) }
        case .waiting(var octets):
            state = .closed
            octets.writeImmutableBuffer(unwrapInboundIn(data))
            state = .waiting(octets)
        // Octets that are read while TLS writes the answer to the first ones.
        case .begun: context.fireChannelRead(data)
        case .closed: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !isWaiting { context.fireChannelReadComplete() }
    }

    func read(context: ChannelHandlerContext) {
        if isWaiting { holdsRead = true } else { context.read() }
    }

    /// Closes for a client that ends its side while it waits: it cannot make a handshake any more.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard isWaiting, case .inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Lets the handshake begin.
    func open() {
        guard let context, case .waiting(let octets) = state else { return }
        begin(with: wrapInboundOut(octets), context)
    }

    /// Closes the connection without a handshake.
    func close() {
        end()
        context?.close(promise: nil)
    }

    /// Tells the queue that the first request has come, or never will.
    func settle() { queue.settle(self) }

    private func begin(with data: NIOAny, _ context: ChannelHandlerContext) {
        let hasWaited = isWaiting
        state = .begun
        context.fireChannelRead(data)
        if hasWaited { context.fireChannelReadComplete() }
        if holdsRead { context.read() }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Drops what waits; the place of the connection in the queue is found empty when its turn comes.
    private func end() {
        if isWaiting { queue.forget(self) }
        state = .closed
    }
}
