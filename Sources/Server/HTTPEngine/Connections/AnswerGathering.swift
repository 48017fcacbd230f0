import NIOCore

/// Gathering of the octets of an answer: what is written before a flush leaves in one piece.
///
/// The encoder of HTTP writes head and body by themselves, and TLS makes a record of each write (RFC 8446, 5.1), which costs more than
/// the copy of a short body. Octets beyond one record are not copied.
final class AnswerGathering: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Octets of one piece at most: the limit of a TLS record (RFC 8446, 5.1).
    static let byteLimit = 1 << 14

    private var gathered = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var octets = unwrapOutboundIn(data)
        if gathered.readableBytes + octets.readableBytes > Self.byteLimit { send(context) }
        if gathered.readableBytes == 0 { gathered = octets } else { gathered.writeBuffer(&octets) }
        if let promise { send(context, promise) }
    }

    func flush(context: ChannelHandlerContext) {
        send(context)
        context.flush()
    }

    /// Hands on what is gathered; the last promise completes when all of it is written.
    private func send(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) {
        guard gathered.readableBytes > 0 || promise != nil else { return }
        let octets = gathered
        gathered = ByteBuffer()
        context.write(wrapOutboundOut(octets), promise: promise)
    }
}
