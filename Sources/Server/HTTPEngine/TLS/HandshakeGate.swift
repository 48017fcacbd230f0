import NIOCore
import Octets

/// Gate before the TLS of one connection, which holds its first octets until the turn of its handshake has come.
///
/// Nothing more is read meanwhile. When ``HandshakeScheduler`` opens it, or has it pass at once, it leaves the pipeline. All of it
/// runs on the event loop of the connection.
final class HandshakeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private enum State {
        case new
        /// These octets wait, and the next read where one is held.
        case waiting(HandshakeQueue.Key, ByteBuffer, holdsRead: Bool)
        /// The handshake has begun; the gate is on its way out.
        case begun(HandshakeQueue.Key)
        case closed
    }

    private let scheduler: HandshakeScheduler
    private let origin: ConnectionOrigin
    private let isShared: Bool
    private var context: ChannelHandlerContext?
    private var state = State.new

    /// Waits until `scheduler` lets it begin, as one of those that come from where `origin` says when the first octets are there; `isShared`
    /// where that is the address of a proxy, which says nothing of its clients.
    init(_ scheduler: HandshakeScheduler, _ origin: ConnectionOrigin, isShared: Bool = false) {
        self.scheduler = scheduler
        self.origin = origin
        self.isShared = isShared
    }

    /// State of the connection among the others; nil before its first octets, and when it counts no longer.
    var stateInQueue: HandshakeQueue.Connection? {
        switch state {
        case .waiting(let key, _, _), .begun(let key): scheduler.state(of: key)
        case .new, .closed: nil
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .new:
            let (key, begins) = scheduler.enter(self, from: isShared ? nil : origin.address?.networkKey ?? "")
            guard begins else {
                state = .waiting(key, unwrapInboundIn(data), holdsRead: false)
                return
            }
            state = .begun(key)
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        case .waiting(let key, var octets, let holdsRead):
            state = .closed
            octets.writeImmutableBuffer(unwrapInboundIn(data))
            state = .waiting(key, octets, holdsRead: holdsRead)
        // Octets that are read while TLS writes the answer to the first ones.
        case .begun: context.fireChannelRead(data)
        case .closed: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .waiting = state { return }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        guard case .waiting(let key, let octets, _) = state else { return context.read() }
        state = .waiting(key, octets, holdsRead: true)
    }

    /// Closes for a client that ends its side while it waits: it cannot make a handshake any more.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .waiting = state, case .inputClosed? = event as? ChannelEvent else {
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
        guard let context, case .waiting(let key, let octets, let holdsRead) = state else { return }
        state = .begun(key)
        context.fireChannelRead(wrapInboundOut(octets))
        context.fireChannelReadComplete()
        if holdsRead { context.read() }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Closes the connection without a handshake.
    func close() {
        end()
        context?.close(promise: nil)
    }

    /// Tells the others that the first request has come, or never will.
    func settle() {
        if case .begun(let key) = state { scheduler.settle(key) }
    }

    /// Drops what waits; a handshake that has begun stays one until its request has come, or never will.
    private func end() {
        switch state {
        case .begun: return
        case .waiting(let key, _, _): scheduler.leave(key)
        case .new, .closed: break
        }
        state = .closed
    }
}
