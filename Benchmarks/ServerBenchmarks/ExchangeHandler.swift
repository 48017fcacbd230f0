import NIOCore
import NIOHTTP1

/// Channel handler that writes one request at a time and completes its promise with the response.
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

    private var waiting: EventLoopPromise<NIOHTTPClientResponseFull>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        waiting = exchange.answer
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
}
