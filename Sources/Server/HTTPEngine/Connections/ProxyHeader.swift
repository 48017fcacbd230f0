import NIOCore
import Octets

/// The header of the PROXY protocol, version 2, with which a proxy says whose connection it passes on.
struct ProxyHeader: Equatable {
    /// Octets that no version of HTTP or TLS begins with, or a length that no proxy needs.
    struct Malformed: Error {}

    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    /// Octets after the first sixteen, of which addresses need 36; the rest is for extensions, which are skipped.
    private static let lengthLimit = 2_048

    /// The client; nil when the proxy speaks for itself, as in a check of health, or does not know.
    let source: IPAddress?

    /// Takes the header from the front of `octets`; nil, with nothing taken, when more octets are needed.
    static func read(from octets: inout ByteBuffer) throws(Malformed) -> ProxyHeader? {
        let view = octets.readableBytesView
        guard view.prefix(signature.count).elementsEqual(signature.prefix(view.count)) else { throw Malformed() }
        guard let kind = octets.getInteger(at: octets.readerIndex + 12, as: UInt8.self),
            let family = octets.getInteger(at: octets.readerIndex + 13, as: UInt8.self),
            let length = octets.getInteger(at: octets.readerIndex + 14, as: UInt16.self)
        else { return nil }
        guard length <= lengthLimit, kind == 0x20 || kind == 0x21 else { throw Malformed() }
        guard view.count >= 16 + Int(length) else { return nil }
        let body = Array(view.dropFirst(16).prefix(Int(length)))
        let source = kind == 0x20 ? nil : try source(in: body, family: family)
        octets.moveReaderIndex(forwardBy: 16 + Int(length))
        return ProxyHeader(source: source)
    }

    /// The source address, which comes first; two ports follow both addresses.
    private static func source(in body: [UInt8], family: UInt8) throws(Malformed) -> IPAddress? {
        let count: Int
        switch family {
        case 0x00: return nil
        case 0x11: count = 4
        case 0x21: count = 16
        default: throw Malformed()
        }
        guard body.count >= 2 * count + 4 else { throw Malformed() }
        return IPAddress(octets: body.prefix(count))
    }
}

/// Reads the header before anything else sees the connection; without a proper one the connection is closed.
final class ProxyHeaderReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let accept: (ProxyHeader) -> Bool
    private var pending = ByteBuffer()
    private var isOpen = false
    private var isClosed = false

    /// Asks `accept` whether the connection goes on, once its header is read.
    init(_ accept: @escaping (ProxyHeader) -> Bool) {
        self.accept = accept
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOpen { return context.fireChannelRead(data) }
        guard !isClosed else { return }
        pending.writeImmutableBuffer(unwrapInboundIn(data))
        do throws(ProxyHeader.Malformed) {
            guard let header = try ProxyHeader.read(from: &pending) else { return }
            guard accept(header) else { return close(context) }
            isOpen = true
            let rest = pending
            pending = ByteBuffer()
            if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        } catch {
            close(context)
        }
    }

    private func close(_ context: ChannelHandlerContext) {
        isClosed = true
        pending = ByteBuffer()
        context.close(promise: nil)
    }
}
