import LoadControl
import NIOCore
import NIOHTTP1
import NIOSSL

/// The gate of one connection: lets requests through one after the other, and ends the connection when one cannot be
/// read to its end.
///
/// A request has one deadline, from its first octet to the last of its body; past it the answer is 408 (RFC 9110,
/// 15.5.9). A connection on which no request begins is closed without a word, and so is one whose client does not read
/// its answers. An answer that leaves before the request is complete carries `Connection: close`, and what still
/// arrives is discarded unread, for a moment only (RFC 9112, 9.6). A pipelined request waits until the answer before it
/// has left, and until the other connections of the event loop have had a turn: after an answer that ends the
/// connection it is never seen. All of it runs on the event loop of the connection.
///
/// A request that is complete has a deadline for its answer, too: whatever it waits for in the server is then given up
/// (``LoadControl/RequestLifetime``), and so is a request whose client closes the connection.
///
/// A head that cannot be read, or that ``HeadRule`` refuses, is handed on as a request that is complete, with the reason
/// in the ``ConnectionOrigin``: it is counted, logged and answered like every refused request, and is the last one.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Progress of the request that has passed the gate.
    private struct Passage {
        /// Its last octet is read.
        var isComplete = false
        /// Its answer has begun.
        var isAnswered = false
        /// It can never become complete; its reader has got the error.
        var isBroken = false
        /// The client wants the connection to end with the answer, or the answer says so.
        var endsConnection = false
    }

    /// Time in which a client may read an answer before the connection is closed on what it still sends.
    static let lingerTime: TimeAmount = .seconds(2)
    /// Pause before a pipelined request; an event loop reads nothing while it has tasks that are due.
    private static let turn: TimeAmount = .microseconds(50)
    /// Octets discarded after an answer; a client that sends more does not listen.
    private static let lingerByteCount = 256 * 1_024

    private let requestTime: TimeAmount
    private let idleTime: TimeAmount
    private let answerTime: TimeAmount
    private let load: LoadController
    private let origin: ConnectionOrigin
    /// The gate that waits for the first request; nil once it has come.
    private var handshake: HandshakeGate?
    private var context: ChannelHandlerContext?
    private var passage: Passage?
    private var isEnding = false
    /// The last answer has left.
    private var hasLeft = false
    /// The client has said that nothing more comes.
    private var isSilent = false
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var waitingError: (any Error)?
    private var waitingClosure: Any?
    private var holdsRead = false
    /// Octets of the next request have arrived, decoded or not.
    private var hasBegun = false
    private var discardedByteCount = 0
    private var timer: ConnectionTimer?
    private var farewell: Scheduled<Void>?

    /// Gives every request the same time, and the same to wait for one and to read an answer; `origin` receives the
    /// refusal of the last one, and the lifetime of each that passes, `handshake` hears of the first.
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

    // MARK: - From the client

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timer = ConnectionTimer(on: context.eventLoop, shortest: min(requestTime, idleTime, answerTime)) {
            self.expire($0)
        }
        timer?.giveTime(forSending: idleTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopTimers()
        self.context = nil
    }

    /// Called for all octets before they are decoded.
    ///
    /// Empty lines before a request are none of it (RFC 9112, 2.2): they begin nothing, and they put nothing off.
    func arrive(_ octets: ByteBuffer) {
        guard !isEnding, !hasBegun, passage?.isComplete != false,
            octets.readableBytesView.contains(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") })
        else { return }
        hasBegun = true
        if passage == nil { timer?.giveTime(forSending: requestTime) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if isEnding {
            discard(part)
        } else if passage?.isComplete == true || !waiting.isEmpty {
            waiting.append(part)
        } else {
            letThrough(part, context)
        }
    }

    func read(context: ChannelHandlerContext) {
        if waiting.isEmpty, waitingError == nil { context.read() } else { holdsRead = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isEnding else { return }
        if !waiting.isEmpty {
            waitingError = error
            return
        }
        guard let passage else {
            guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
            return refuse(HeadRule.unreadable, because: RequestFault(headError: error), context)
        }
        if passage.isComplete {
            waitingError = error
        } else {
            breakOff(because: RequestFault(bodyError: error), context)
        }
    }

    /// Keeps back the event that the client sends nothing more while requests wait: handlers that get it read no
    /// further.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { isSilent = true }
        if isSilent, hasLeft {
            hangUp()
        } else if case .inputClosed? = event as? ChannelEvent, !isEnding, !waiting.isEmpty || waitingError != nil {
            waitingClosure = event
        } else {
            if case .inputClosed? = event as? ChannelEvent { origin.lifetime?.halfClose() }
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimers()
        handshake.take()?.settle()
        origin.lifetime?.abandon()
        if let passage, !passage.isComplete { breakOff(because: .incompleteBody, context) }
        context.fireChannelInactive()
    }

    private func letThrough(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        if passage?.isBroken == true { return }
        switch part {
        case .head(let head):
            if let fault = HeadRule.fault(of: head) { return refuse(head, because: fault, context) }
            // What follows a request for another protocol is not decoded; this server speaks no other one.
            passage = Passage(endsConnection: !head.isKeepAlive || head.asksForOtherProtocol)
            origin.isNew = handshake != nil
            handshake.take()?.settle()
            origin.lifetime = load.lifetime()
            // One that waited behind another has its time from now on.
            if !hasBegun { timer?.giveTime(forSending: requestTime) }
            hasBegun = false
        case .body: break
        case .end:
            passage?.isComplete = true
            timer?.giveTime(forSending: nil)
            origin.lifetime?.isComplete()
            if passage?.isAnswered == false { timer?.giveTime(forAnswering: answerTime) }
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    /// Hands on a head that is refused for its form; nothing that follows it is read.
    private func refuse(_ head: HTTPRequestHead, because fault: RequestFault, _ context: ChannelHandlerContext) {
        origin.fault = fault
        passage = Passage(isBroken: true, endsConnection: true)
        timer?.giveTime(forSending: nil)
        context.fireChannelRead(wrapInboundOut(.head(head)))
        context.fireChannelRead(wrapInboundOut(.end(nil)))
        context.fireChannelReadComplete()
    }

    /// Tells the reader of the request that it never becomes complete.
    private func breakOff(because fault: RequestFault, _ context: ChannelHandlerContext) {
        guard passage?.isBroken == false else { return }
        passage?.isBroken = true
        timer?.giveTime(forSending: nil)
        context.fireErrorCaught(fault)
    }

    // MARK: - To the client

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where !(100..<200).contains(head.status.code):
            context.write(wrapOutboundOut(.head(begin(answer: head))), promise: promise)
        case .end where passage?.endsConnection != false:
            end(context, data, promise)
        case .end:
            context.write(data, promise: promise)
            next(context)
        default: context.write(data, promise: promise)
        }
    }

    /// Notes that the answer begins, and says in it when the connection ends with it.
    private func begin(answer head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        var passage = passage ?? Passage()
        passage.isAnswered = true
        timer?.giveTime(forAnswering: nil)
        if !passage.isComplete || !head.isKeepAlive { passage.endsConnection = true }
        if passage.endsConnection { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        self.passage = passage
        return head
    }

    /// Makes room for the next request; one that has arrived already passes after a turn of the event loop.
    private func next(_ context: ChannelHandlerContext) {
        passage = nil
        origin.lifetime = nil
        timer?.giveTime(forSending: hasBegun ? requestTime : idleTime)
        guard !waiting.isEmpty else { return letWaitingThrough(context) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.turn) {
            if let context = self.context, !self.isEnding { self.letWaitingThrough(context) }
        }
    }

    private func letWaitingThrough(_ context: ChannelHandlerContext) {
        while passage?.isComplete != true, let part = waiting.popFirst() { letThrough(part, context) }
        guard waiting.isEmpty else { return context.fireChannelReadComplete() }
        if let error = waitingError, passage?.isComplete != true {
            waitingError = nil
            errorCaught(context: context, error: error)
        }
        context.fireChannelReadComplete()
        if let event = waitingClosure, waitingError == nil {
            waitingClosure = nil
            context.fireUserInboundEventTriggered(event)
        }
        resumeReading(context)
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard holdsRead else { return }
        holdsRead = false
        context.read()
    }

    // MARK: - The end of the connection

    /// Sends the last octets of the last answer and closes: at once when the client has sent all, otherwise after a
    /// moment in which it can read the answer, since closing on unread octets would take it away.
    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        let isComplete = passage?.isComplete == true
        isEnding = true
        waiting.removeAll()
        timer?.cancel()
        let sent = promise ?? context.eventLoop.makePromise()
        context.writeAndFlush(data, promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            self.hasLeft = true
            self.closeSoon(isComplete ? .all : .output)
            if self.isSilent { self.hangUp() }
        }
        let rest = isComplete ? idleTime : Self.lingerTime
        farewell = context.eventLoop.assumeIsolated().scheduleTask(in: rest) { self.closeSoon() }
        if !isComplete { resumeReading(context) }
    }

    /// Closes when the handlers below have returned.
    ///
    /// The one of TLS calls back out of its writes and reads. Closed from there, it waits for the client's farewell, and
    /// then goes on with the state from before, which its timer takes for a fault of the program.
    private func closeSoon(_ mode: CloseMode = .all) {
        context?.eventLoop.assumeIsolated().execute { self.context?.close(mode: mode, promise: nil) }
    }

    /// Closes below TLS, once both sides have said that nothing more comes.
    ///
    /// The close of TLS waits for the end of the connection, for seconds, and keeps whatever octets come meanwhile: no
    /// handler decodes them, and nothing bounds them.
    private func hangUp() {
        context?.eventLoop.assumeIsolated().execute {
            guard let context = self.context else { return }
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            (tls ?? context).close(promise: nil)
        }
    }

    /// Ignores that the writer of answers has finished when the gate ends the connection anyway: nothing is closed twice.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isEnding, case .output = mode else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
    }

    private func discard(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: break
        case .body(let octets):
            discardedByteCount += octets.readableBytes
            if discardedByteCount > Self.lingerByteCount { closeSoon() }
        case .end: closeSoon()
        }
    }

    // MARK: - Deadlines

    /// Gives the client time to read while more waits for it than the channel takes at once.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !isEnding { timer?.giveTime(forReading: context.channel.isWritable ? nil : idleTime) }
        context.fireChannelWritabilityChanged()
    }

    private func expire(_ expiry: ConnectionTimer.Expiry) {
        switch expiry {
        case .reading: closeSoon()
        case .answering:
            let rest = origin.lifetime?.expire()
            timer?.giveTime(forAnswering: rest.map { TimeAmount($0) })
        case .sending: expireSending()
        }
    }

    private func expireSending() {
        guard let context else { return closeSoon() }
        if let passage {
            if !passage.isAnswered { breakOff(because: .bodyTooSlow, context) }
        } else if hasBegun {
            refuse(HeadRule.unreadable, because: .headTooSlow, context)
        } else {
            closeSoon()
        }
    }

    private func stopTimers() {
        timer?.cancel()
        timer = nil
        farewell?.cancel()
        farewell = nil
    }
}

/// Tells the gate of octets that are not decoded yet, since a request begins with the first of them.
final class RequestGateInput: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let gate: RequestGate

    /// Tells `gate`.
    init(_ gate: RequestGate) {
        self.gate = gate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        gate.arrive(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }
}

extension HTTPRequestHead {
    /// Whether the octets behind the request are of another protocol, if the server goes along (RFC 9110, 7.8 and 9.3.6).
    fileprivate var asksForOtherProtocol: Bool { method == .CONNECT || headers.contains(name: "upgrade") }
}
