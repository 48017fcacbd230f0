import LoadControl
import NIOCore
import NIOHTTP1
import NIOSSL

/// The gate of one connection: lets requests through one after the other, and ends the connection when one cannot be
/// read to its end.
///
/// A request has one deadline, from its first octet to the last of its body; past it the answer is 408 (RFC 9110,
/// 15.5.9). A connection on which no request begins is closed without a word, and so is one whose client does not read
/// its answers. An answer that leaves before the request is complete carries `Connection: close`, and what still arrives
/// is discarded, for a moment only, and never read (RFC 9112, 9.6). A pipelined request waits until
/// the answer before it has left, and until the other connections of the event loop have run: after an answer that
/// ends the connection it is never seen. All of it runs on the event loop of the connection.
///
/// A request that is complete has a deadline for its answer, too: whatever it waits for in the server is then given up
/// (``LoadControl/RequestLifetime``), and so is a request whose client closes the connection.
///
/// A head that cannot be read, or that ``HeadRule`` refuses, is handed on as a request that is complete, with the reason
/// in the ``ConnectionOrigin``: it is counted, logged and answered like every refused request, and is the last one.
///
/// What it does when is decided by ``ConnectionStateMachine``; the gate carries it out.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Time in which a client may read an answer before the connection is closed on what it still sends.
    static let lingerTime: TimeAmount = .seconds(2)
    /// Pause before a pipelined request; an event loop reads nothing while it has tasks that are due.
    private static let pause: TimeAmount = .microseconds(50)

    private let requestTime: TimeAmount
    private let idleTime: TimeAmount
    private let answerTime: TimeAmount
    private let load: LoadController
    private let origin: ConnectionOrigin
    /// The gate that waits for the first request; nil once it has come.
    private var handshake: HandshakeGate?
    private var context: ChannelHandlerContext?
    private var state = ConnectionStateMachine()
    private var timer: ConnectionTimer?

    /// Gives every request the same time, and the same to wait for one and to read an answer; `origin` receives the
    /// fault of the last one, and the lifetime of each that is let through, `handshake` hears of the first.
    init(
        requestTime: Duration, idleTime: Duration, load: LoadController = LoadController(), origin: ConnectionOrigin,
        handshake: HandshakeGate? = nil
    ) {
        self.handshake = handshake
        self.requestTime = TimeAmount(requestTime)
        self.idleTime = TimeAmount(idleTime)
        answerTime = TimeAmount(load.settings.answerTime)
        self.load = load
        self.origin = origin
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timer = ConnectionTimer(on: context.eventLoop, shortest: min(requestTime, idleTime, answerTime)) {
            self.expire($0)
        }
        keepDeadline()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopTimer()
        self.context = nil
    }

    // MARK: - From the client

    /// Called for all octets before they are decoded.
    func receive(_ octets: ByteBuffer) {
        state.octetsArrived(
            isBlank: octets.readableBytesView.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") })
        keepDeadline()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        carryOut(state.received(unwrapInboundIn(data)), context)
    }

    func read(context: ChannelHandlerContext) {
        if state.asksForRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        carryOut(state.failed(error), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        switch state.inputEnded() {
        case .wait: break
        case .close: close(.belowTLS)
        case .passOn:
            origin.lifetime?.halfClose()
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimer()
        handshake.take()?.settle()
        origin.lifetime?.abandon()
        if let fault = state.becameInactive() { context.fireErrorCaught(fault) }
        context.fireChannelInactive()
    }

    private func carryOut(_ step: ConnectionStateMachine.Step, _ context: ChannelHandlerContext) {
        keepDeadline()
        switch step {
        case .nothing: break
        case .begin(let part):
            origin.isNew = handshake != nil
            handshake.take()?.settle()
            origin.lifetime = load.lifetime()
            context.fireChannelRead(wrapInboundOut(part))
        case .pass(let part): context.fireChannelRead(wrapInboundOut(part))
        case .complete(let part):
            origin.lifetime?.isComplete()
            context.fireChannelRead(wrapInboundOut(part))
        case .refuse(let head, let fault):
            origin.fault = fault
            context.fireChannelRead(wrapInboundOut(.head(head)))
            context.fireChannelRead(wrapInboundOut(.end(nil)))
            context.fireChannelReadComplete()
        case .breakOff(let fault): context.fireErrorCaught(fault)
        case .passError(let error): context.fireErrorCaught(error)
        case .giveUp: timer?.giveTime(origin.lifetime?.expire().map { TimeAmount($0) })
        case .close: close(.all)
        }
    }

    /// Lets through what waits, up to the end of a request.
    private func letWaitingThrough(_ context: ChannelHandlerContext) {
        while let step = state.takeWaiting() { carryOut(step, context) }
        // An answer may be written within these, and let through more.
        context.fireChannelReadComplete()
        if state.takeInputEnd() { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if state.takeRead() { context.read() }
        keepDeadline()
    }

    // MARK: - To the client

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where !(100..<200).contains(head.status.code):
            guard let isLast = state.answerBegins(isLast: load.isDraining || !head.isKeepAlive) else {
                return drop(promise)
            }
            keepDeadline()
            if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            switch state.answerEnds() {
            case .drop: drop(promise)
            case .next(let isPipelined):
                context.write(data, promise: promise)
                next(isPipelined, context)
            case .last: leave(context, data, promise)
            }
        case .head, .body: if state.isOpen { context.write(data, promise: promise) } else { drop(promise) }
        }
    }

    private func drop(_ promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.ioOnClosedChannel) }

    /// Makes room for the next request; one that has arrived already is let through after a pause of the connection.
    private func next(_ isPipelined: Bool, _ context: ChannelHandlerContext) {
        origin.lifetime = nil
        keepDeadline()
        guard isPipelined else { return letWaitingThrough(context) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            if let context = self.context, self.state.isOpen { self.letWaitingThrough(context) }
        }
    }

    // MARK: - The end of the connection

    private func leave(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        timer?.giveTime(forReading: nil)
        keepDeadline()
        let sent = promise ?? context.eventLoop.makePromise()
        context.writeAndFlush(data, promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            for closing in self.state.lastAnswerLeft() { self.close(closing) }
        }
        if state.takeRead() { context.read() }
    }

    /// Closes when the handlers below have returned.
    ///
    /// The one of TLS calls back out of its writes and reads. Closed from there, it waits for the client's farewell, and
    /// then goes on with the state from before, which its timer takes for a fault of the program. Where both sides have said
    /// farewell it would still wait for the end of the connection, for seconds, and keep whatever octets come meanwhile.
    private func close(_ closing: ConnectionStateMachine.Closing) {
        context?.eventLoop.assumeIsolated().execute {
            guard let context = self.context else { return }
            switch closing {
            case .all: context.close(promise: nil)
            case .output: context.close(mode: .output, promise: nil)
            case .belowTLS:
                let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                (tls ?? context).close(promise: nil)
            }
        }
    }

    /// Ignores that the writer of answers has finished when the gate ends the connection anyway: nothing is closed twice.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !state.isOpen, case .output = mode else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
    }

    // MARK: - Deadlines

    /// Gives the client time to read while more waits for it than the channel takes at once.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if state.isOpen { timer?.giveTime(forReading: context.channel.isWritable ? nil : idleTime) }
        context.fireChannelWritabilityChanged()
    }

    private func expire(_ expiry: ConnectionTimer.Expiry) {
        guard let context else { return }
        switch expiry {
        case .deadline: carryOut(state.expired(), context)
        case .reading: close(.all)
        }
    }

    /// Gives the time of the deadline that the machine has now, from now on, where it is another one.
    private func keepDeadline() {
        timer?.keep(state.deadline) { deadline in
            switch deadline {
            case .request: requestTime
            case .nextRequest, .closing: idleTime
            case .answer: answerTime
            case .discarding: Self.lingerTime
            }
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }
}

/// Tells the gate of octets that are not decoded yet, since a request begins with the first of them.
final class RequestGateInput: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let gate: RequestGate

    init(_ gate: RequestGate) {
        self.gate = gate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        gate.receive(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }
}
