import HTTPTypes
import HummingbirdCore
import LoadControl
import NIOCore
import NIOHTTP1

/// Runner of the requests of one connection: hands each to the routes, one after the other, and writes its answer.
///
/// A request that has arrived as a whole is handed over as a whole. Of another one the routes get the head and an
/// ``ArrivingBody``, since much is refused by the head alone. An answer is written as a whole, in one piece, once the
/// channel takes more: a client that does not read its answers gets no further ones made.
///
/// The ``RequestGate`` before it lets one request through at a time, sees to all deadlines, and ends the connection after
/// an answer that says so. All of it runs on the event loop of the connection, the task of the request included
/// (``EventLoopExecutor``).
final class RequestRunner: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        /// A request begins that has not been handed over.
        case beginning(HTTPRequest, ByteBuffer, Form)
        /// A request is handed over; its body is complete when there is none that arrives.
        case answering(ArrivingBody?, Form)
        /// A request was refused when it arrived; the answer is written when all that has come with it is read.
        case refused(WholeAnswer, Form)
        /// An answer waits until the channel takes more.
        case waiting(WholeAnswer, Form)
    }

    /// Wishes of a request for the form of its answer.
    private struct Form {
        /// The answer has no body, as the request came by HEAD (RFC 9110, 9.3.2).
        let isHeadOnly: Bool
        /// The client sends the body when it is told to (RFC 9110, 10.1.1).
        var awaitsInvitation: Bool
    }

    /// Octets of a body that are kept for the routes; they refuse a longer one.
    private let bodyLimit: Int
    private let origin: ConnectionOrigin
    private let work: ConnectionWork
    private let service: RequestService
    private let executor: EventLoopExecutor
    private var context: ChannelHandlerContext?
    private var state = State.idle
    private var isInputClosed = false
    /// The connection cannot be read any more, or the server ends: no request follows.
    private var isLast = false

    /// Runs the requests of a connection with this origin by `service`, on the executor of its event loop; `work` knows the
    /// task of the present one.
    init(
        bodyLimit: Int, origin: ConnectionOrigin, work: ConnectionWork, executor: EventLoopExecutor,
        service: RequestService
    ) {
        self.executor = executor
        self.bodyLimit = bodyLimit
        self.origin = origin
        self.work = work
        self.service = service
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: - The request

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .idle):
            guard let request = HTTPRequest(head) else { return context.close(promise: nil) }
            let form = Form(isHeadOnly: head.method == .HEAD, awaitsInvitation: head.expectsContinue)
            state = .beginning(request, ByteBuffer(), form)
        case (.body(let octets), .beginning(let request, let body, let form)):
            state = .beginning(request, body.followed(by: octets), form)
        case (.body(let octets), .answering(let body, _)): body?.receive(octets)
        case (.end, .beginning(let request, let body, let form)):
            state = .answering(nil, form)
            run(Request(head: request, body: RequestBody(buffer: body)), form, context)
        case (.end, .answering(let body, let form)):
            body?.end()
            state = .answering(nil, form)
        // The gate lets no request through while another one is answered.
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        beginArriving(context)
        sendRefusal()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        beginArriving(context)
        switch state {
        case .idle, .beginning: context.close(promise: nil)
        case .answering(let body, _):
            body?.end(throwing: error)
            isLast = isLast || body == nil
        case .refused: sendRefusal()
        case .waiting: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .answering(let body, _) = state { body?.end(throwing: RequestFault.incompleteBody) }
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if case .idle = state { context.close(mode: .output, promise: nil) }
        case is ChannelShouldQuiesceEvent:
            isLast = true
            if case .idle = state { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func beginArriving(_ context: ChannelHandlerContext) {
        guard case .beginning(let request, let octets, let form) = state else { return }
        let (channel, runner) = (context.channel, NIOLoopBound(self, eventLoop: context.eventLoop))
        let body = ArrivingBody(limit: bodyLimit) { channel.eventLoop.execute { runner.value.invite() } }
        state = .answering(body, form)
        if octets.readableBytes > 0 { body.receive(octets) }
        run(Request(head: request, body: RequestBody(asyncSequence: body)), form, context)
    }

    /// Tells a client that waits with the body to send it.
    ///
    /// It is told when a route reads the body: one that is refused by its head gets the refusal instead.
    private func invite() {
        guard let context, case .answering(let body?, var form) = state, form.awaitsInvitation else { return }
        form.awaitsInvitation = false
        state = .answering(body, form)
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    /// Runs a request in its turn on the event loop, unless it is refused when it arrives.
    ///
    /// A refusal is answered behind nothing that was let in before: when the rest of what the client has sent is read, not
    /// in the turn of the loop.
    private func run(_ request: Request, _ form: Form, _ context: ChannelHandlerContext) {
        let (channel, origin, service) = (context.channel, origin, service)
        if let answer = service.refuse(request, origin, channel) {
            state = .refused(answer, form)
            return
        }
        let runner = NIOLoopBound(self, eventLoop: context.eventLoop)
        work.begin {
            Task(executorPreference: executor) { [work] in
                let answer = await service.answer(to: request, channel, origin)
                work.end()
                // Never at once: the next request would be let through within this one.
                channel.eventLoop.execute { runner.value.finish(with: answer) }
            }
        }
    }

    // MARK: - The answer

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, case .waiting(let answer, let form) = state { write(answer, form, context) }
        context.fireChannelWritabilityChanged()
    }

    private func sendRefusal() {
        if case .refused(let answer, let form) = state { send(answer, form) }
    }

    /// Writes the answer of the present request, or closes where it has none.
    private func finish(with answer: WholeAnswer?) {
        guard let answer else {
            context?.close(promise: nil)
            return
        }
        if case .answering(_, let form) = state { send(answer, form) }
    }

    private func send(_ answer: WholeAnswer, _ form: Form) {
        guard let context else { return }
        if context.channel.isWritable { write(answer, form, context) } else { state = .waiting(answer, form) }
    }

    private func write(_ answer: WholeAnswer, _ form: Form, _ context: ChannelHandlerContext) {
        var head = answer.head
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if answer.body.readableBytes > 0, !form.isHeadOnly {
            context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        }
        // With the end of the answer the gate lets the next request through.
        state = .idle
        context.writeAndFlush(wrapOutboundOut(.end(answer.trailers)), promise: nil)
        if isInputClosed, case .idle = state { context.close(mode: .output, promise: nil) }
    }
}

extension RequestService {
    /// The answer to a request of a connection; nil when it cannot be written.
    fileprivate func answer(
        to request: Request, _ channel: any Channel, _ origin: ConnectionOrigin
    ) async -> WholeAnswer? {
        let response = await ConnectionOrigin.$current.withValue(origin) { await respond(request, channel) }
        // The ticket of a request whose service was never asked.
        origin.takeTicket()?.close()
        return await WholeAnswer(response)
    }
}

extension HTTPRequestHead {
    /// Whether the client waits for a word of the server before it sends the body; one of HTTP/1.0 never does.
    fileprivate var expectsContinue: Bool {
        version != .http1_0 && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}

extension ByteBuffer {
    /// The octets of both; if one part is empty, the other is not copied.
    fileprivate consuming func followed(by octets: ByteBuffer) -> ByteBuffer {
        if readableBytes == 0 { return octets }
        var all = self
        all.writeImmutableBuffer(octets)
        return all
    }
}
