import BackendAPI
import HTTPTypes
import NIOCore
import NIOHTTP1

/// TLS connection of one phone or portal, for one exchange after the other.
struct PhoneConnection: Sendable {
    private let channel: any Channel
    private var fields: HTTPHeaders

    init(channel: any Channel, port: Int, accessKey: String?) {
        self.channel = channel
        var fields: HTTPHeaders = ["Host": "127.0.0.1:\(port)"]
        if let accessKey { fields.add(name: "Authorization", value: "Bearer \(accessKey)") }
        self.fields = fields
    }

    /// Whether the connection is open, as far as this end knows.
    var isOpen: Bool { channel.isActive }

    /// The same connection as a proxy has it, with requests of a client at this address.
    func forwarding(_ address: String) -> PhoneConnection {
        var connection = self
        connection.fields.replaceOrAdd(name: "X-Forwarded-For", value: address)
        return connection
    }

    /// Posts a body to a service and returns the body of the response; throws unless the status is 200.
    func post(_ body: [UInt8], to endpoint: Endpoint) async throws -> [UInt8] {
        let path = Endpoint.serviceRoot + endpoint.path
        let start = ContinuousClock.now
        let answer = try await exchange(.POST, path, Self.types(of: endpoint), body)
        switch answer.head.status {
        case .ok: break
        case .serviceUnavailable where answer.head.headers.contains(name: "Retry-After"):
            throw BenchmarkFailure.overloaded(step: path, after: ContinuousClock.now - start)
        default: throw BenchmarkFailure.httpStatus(step: path, answer.head.status.code)
        }
        return answer.body.map { Array($0.readableBytesView) } ?? []
    }

    /// Types of a service's bodies, as a client names them.
    static func types(of endpoint: Endpoint) -> HTTPHeaders {
        let types = endpoint.clientTypes
        var fields = HTTPHeaders()
        if let content = types.content { fields.add(name: "Content-Type", value: content.fieldValue) }
        if let accept = types.accept { fields.add(name: "Accept", value: accept.fieldValue) }
        return fields
    }

    /// Sends a request and returns the response, whatever its status; `body` is nil for a request without one.
    ///
    /// A response that says that the connection ends with it closes the connection at once.
    func exchange(
        _ method: HTTPMethod, _ path: String, _ further: HTTPHeaders, _ body: [UInt8]?
    ) async throws -> NIOHTTPClientResponseFull {
        var fields = self.fields
        fields.add(contentsOf: further)
        if let body { fields.add(name: "Content-Length", value: String(body.count)) }
        let promise = channel.eventLoop.makePromise(of: NIOHTTPClientResponseFull.self)
        let exchange = ExchangeHandler.Exchange(
            head: HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: fields),
            body: channel.allocator.buffer(bytes: body ?? []), answer: promise)
        channel.writeAndFlush(exchange).cascadeFailure(to: promise)
        let answer = try await promise.futureResult.get()
        if !answer.head.isKeepAlive { channel.close(promise: nil) }
        return answer
    }

    /// Closes the connection, if it is open, without waiting for that.
    func drop() { channel.close(promise: nil) }

    /// Closes the connection.
    func close() async throws { try await channel.close() }
}
