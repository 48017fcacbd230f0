import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// The connections to one host.
final class HostClient: Sendable {
    private let client: HTTPClient
    private let inspector: ConnectionInspector

    init(tls: TLSConfiguration, inspector: ConnectionInspector, connectionTimeout: Duration) {
        self.inspector = inspector
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        // Requests share a connection in the making: one that hangs must not hang all that come later.
        configuration.timeout.connect = TimeAmount(connectionTimeout)
        // With retries a refused certificate would be asked for again until the time is up.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = { [inspector] in inspector.inspect($0) }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// What the server has shown last, also when it was refused.
    var presented: ConnectionFacts? { inspector.presented }

    deinit {
        // Lets idle connections close in the background; the library keeps what it needs until then.
        client.shutdown { _ in }
    }

    func exchange(_ request: BackendRequest) async throws -> BackendResponse {
        let response = try await client.execute(HTTPClientRequest(request), timeout: TimeAmount(request.timeout))
        let body = try await response.body.collect(upTo: request.responseByteLimit)
        return BackendResponse(
            status: Int(response.status.code),
            headers: HeaderFields(response.headers.map { HeaderFields.Field($0.name, $0.value) }),
            body: Array(body.readableBytesView), connection: inspector.facts)
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: BackendRequest) {
        self.init(url: request.url)
        method = HTTPMethod(rawValue: request.method.rawValue)
        headers = HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
        if !request.body.isEmpty || request.method == .post || request.method == .patch {
            body = .bytes(ByteBuffer(bytes: request.body))
        }
    }
}
