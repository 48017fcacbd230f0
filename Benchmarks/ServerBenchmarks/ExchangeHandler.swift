import NIOCore
import NIOHTTP1

/// Channel handler that writes one request at a time and completes its promise with the response.
///
/// A client has patience for five seconds: then it closes the connection, and the request has failed.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = NIOHTTPClientResponseFull
    typealias InboundOut = Never
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    /// Request with the promise of its response.
    struct Exchange: Sendable {
        let head: HTTPRequestHead
        let body: ByteBuffer
        let answer: EventLoopPromise<NIOHTTPClientResponseFull>
    }

    private static let patience: TimeAmount = .seconds(5)

    private var waiting: EventLoopPromise<NIOHTTPClientResponseFull>?
    /// End of the client's patience with the last request.
    private var deadline = NIODeadline.distantFuture
    private var isTimed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        waiting = exchange.answer
        deadline = .now() + Self.patience
        if !isTimed { Self.watch(NIOLoopBound(self, eventLoop: context.eventLoop), context.channel) }
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(exchange.body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        waiting?.succeed(unwrapInboundIn(data))
        waiting = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(BenchmarkFailure.connectionLost)
        context.fireChannelInactive()
    }

    private func fail(_ error: any Error) {
        waiting?.fail(error)
        waiting = nil
    }

    /// Looks at the present request when its time is over.
    ///
    /// A connection has one timer, which begins again for a later request: one for each would be cancelled thousands of
    /// times a second, with a search through all of them.
    private static func watch(_ handler: NIOLoopBound<ExchangeHandler>, _ channel: any Channel) {
        handler.value.isTimed = true
        channel.eventLoop.scheduleTask(deadline: handler.value.deadline) {
            handler.value.isTimed = false
            guard handler.value.waiting != nil else { return }
            if handler.value.deadline <= .now() {
                channel.close(promise: nil)
            } else {
                watch(handler, channel)
            }
        }
    }
}
