import NIOCore
import NIOHTTP1
import OpenID
import ServerCore

/// Sends one request on a connection and reads the answer to it.
///
/// An answer that redirects ends with its head. Where only the status is asked for, the head of the answer decides: what
/// follows, however it ends, is read for ``AnswerReader/courtesy`` and dropped, so that the other system can finish.
final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// Part of an answer that is asked for.
    enum Wanted: Sendable, Hashable {
        case status
        /// Its whole body of at most `limit` octets.
        case body(limit: Int)
    }

    /// Time in which a body that is not asked for is read.
    static let courtesy = TimeAmount.seconds(1)

    private let head: HTTPRequestHead
    private let content: [UInt8]
    private let wanted: Wanted
    private let promise: EventLoopPromise<OutgoingExchange.Answer>
    private var status = 0
    private var body: [UInt8] = []

    init(
        _ head: HTTPRequestHead, content: [UInt8], wanted: Wanted, promise: EventLoopPromise<OutgoingExchange.Answer>
    ) {
        self.head = head
        self.content = content
        self.wanted = wanted
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !content.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: content)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            if (300..<400).contains(status) { return finish(context) }
            if wanted == .status { answerByStatus(context) }
        case .body(let part):
            guard case .body(let limit) = wanted else { return }
            guard body.count + part.readableBytes <= limit else { return fail(OutgoingFailure.tooLong, context) }
            body += part.readableBytesView
        case .end: finish(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Without effect when there was an answer.
        promise.fail(OutgoingFailure.unreachable)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    private func answerByStatus(_ context: ChannelHandlerContext) {
        promise.succeed(OutgoingExchange.Answer(status: status, body: []))
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: Self.courtesy) { channel.close(promise: nil) }
    }

    private func finish(_ context: ChannelHandlerContext) {
        promise.succeed(OutgoingExchange.Answer(status: status, body: body))
        context.close(promise: nil)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        promise.fail(OutgoingFailure(reporting: error))
        context.close(promise: nil)
    }
}

/// Bound on all octets of a connection, including TLS; it counts them before any other handler reads them.
///
/// Past the bound it closes the connection at once, without the closing message of TLS: the client would otherwise go
/// on reading a server that goes on sending.
final class AnswerReaderByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var rest: Int

    init(_ limit: Int) { rest = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard rest >= 0 else { return }
        rest -= unwrapInboundIn(data).readableBytes
        guard rest >= 0 else {
            context.fireErrorCaught(OutgoingFailure.tooLong)
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }
}
