import NIOCore
import NIOHTTP1

/// Mark on each response that names the connection it came over.
///
/// The library pools connections and does not tell which one a response came over. During a change of certificates, or
/// with an attacker in between, they have different certificates, and what is signed states the request's.
final class ConnectionMark: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// Header field of the mark; one of this name from a server is replaced.
    static let field = "signet-connection"

    private let value: String

    init(_ value: String) { self.value = value }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: Self.field, value: value)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
