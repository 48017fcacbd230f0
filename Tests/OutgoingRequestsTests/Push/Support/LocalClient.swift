import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import StrictJSON

/// Talks to the local routes of a sink, and to its others as an attacker or a broken server would.
struct LocalClient: Sendable {
    /// An answer that no test expects.
    struct Unexpected: Error {
        let status: Int
    }

    let origin: String
    private let client: HTTPClient

    static func with(
        origin: String, authorityPEM: String, _ body: (LocalClient) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorityPEM.utf8)))
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: tls))
        do {
            try await body(LocalClient(origin: origin, client: client))
        } catch {
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    func get(_ path: String) async throws -> JSONValue {
        try Self.accepted(try await send(.GET, path))
    }

    func post(_ path: String, _ members: JSONObject = [:]) async throws -> JSONValue {
        let body = JSONWriter.write(.object(members))
        return try Self.accepted(try await send(.POST, path, ["Content-Type": "application/json"], body))
    }

    func delete(_ path: String) async throws {
        _ = try await send(.DELETE, path)
    }

    /// Status and body of any request.
    func send(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:], _ body: [UInt8] = []
    ) async throws -> (status: Int, body: [UInt8]) {
        var request = HTTPClientRequest(url: origin + path)
        request.method = method
        request.headers = headers
        if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
        let answer = try await client.execute(request, timeout: .minutes(5))
        return (Int(answer.status.code), Array(try await answer.body.collect(upTo: 1 << 20).readableBytesView))
    }

    private static func accepted(_ answer: (status: Int, body: [UInt8])) throws -> JSONValue {
        guard (200...299).contains(answer.status) else { throw Unexpected(status: answer.status) }
        return answer.body.isEmpty ? .null : try JSONParser.parse(answer.body, limits: .document)
    }
}
