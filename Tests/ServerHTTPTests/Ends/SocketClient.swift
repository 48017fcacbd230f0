import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import StrictJSON

/// Client over a socket that follows no redirect.
struct SocketClient: Sendable {
    struct Answer: Sendable {
        let status: UInt
        let location: String
        /// First cookie that it sets, with its attributes.
        let cookie: String
        let body: [UInt8]
        let headers: HTTPHeaders

        /// The body as a JSON object, an empty one when it is none.
        var object: JSONObject { (try? JSONParser.parse(body).asObject()) ?? JSONObject(distinct: []) }
    }

    private let client: HTTPClient
    private let port: Int

    /// Runs `body` with a client of a server on this port.
    static func run<Value: Sendable>(
        at port: Int, _ body: (SocketClient) async throws -> Value
    ) async throws -> Value {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: HTTPClient.Configuration(
                redirectConfiguration: .disallow, timeout: .init(connect: .minutes(5))))
        do {
            let value = try await body(SocketClient(client: client, port: port))
            try await client.shutdown()
            return value
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    func send(
        _ method: String, _ path: String, _ headers: [(name: String, value: String)], body: String
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .init(rawValue: method)
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        if !body.isEmpty { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await client.execute(request, timeout: .minutes(5))
        let octets = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: response.status.code, location: response.headers.first(name: "Location") ?? "",
            cookie: response.headers.first(name: "Set-Cookie") ?? "", body: Array(octets.readableBytesView),
            headers: response.headers)
    }
}
