import NIOCore
import NIOHTTP1

/// Request to the phone page, read whole.
struct PhonePageRequest: Sendable {
    /// Largest body in octets.
    static let bodyLimit = 1 << 20

    let method: HTTPMethod
    /// Path as it was sent, with the query if there is one; the page has none.
    let path: String
    let headers: HTTPHeaders
    /// Body; nil for one that is larger than ``bodyLimit``, of which the rest is not read.
    let body: [UInt8]?

    /// Makes a request of its parts.
    init(method: HTTPMethod, path: String, headers: HTTPHeaders, body: [UInt8]? = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Reads a request; nil when the connection was closed before its end.
    static func read(
        from parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>
    ) async throws -> PhonePageRequest? {
        var received: HTTPRequestHead?
        var body: [UInt8] = []
        for try await part in parts {
            switch part {
            case .head(let head): received = head
            case .body(let chunk):
                guard let head = received else { return nil }
                guard body.count + chunk.readableBytes <= bodyLimit else { return PhonePageRequest(head, nil) }
                body += chunk.readableBytesView
            case .end: return received.map { PhonePageRequest($0, body) }
            }
        }
        return nil
    }

    private init(_ head: HTTPRequestHead, _ body: [UInt8]?) {
        self.init(method: head.method, path: head.uri, headers: head.headers, body: body)
    }

    /// Value of a header field; nil when it is absent or occurs more than once.
    func only(_ name: String) -> String? {
        let values = headers[name]
        return values.count == 1 ? values.first : nil
    }

    /// Value of a cookie; nil when it is absent or occurs more than once.
    func cookie(_ name: String) -> [UInt8]? {
        var values: [[UInt8]] = []
        for pair in headers["Cookie"].joined(separator: ";").split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { values.append(Array(pair.dropFirst(name.count + 1).utf8)) }
        }
        return values.count == 1 ? values.first : nil
    }
}

/// Bound of the head of a request: the connection is closed at the first octet too many.
final class PhonePageHeadBound: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Largest head in octets, with the request line and the empty line.
    static let limit = 16 << 10

    private var count = 0
    /// Line feeds at the end of what came, with only carriage returns between them; two end the head.
    private var lineFeeds = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for octet in unwrapInboundIn(data).readableBytesView {
            guard lineFeeds < 2 else { break }
            count += 1
            switch octet {
            case UInt8(ascii: "\n"): lineFeeds += 1
            case UInt8(ascii: "\r"): break
            default: lineFeeds = 0
            }
        }
        guard count <= Self.limit else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
