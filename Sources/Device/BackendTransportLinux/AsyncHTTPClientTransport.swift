import AsyncHTTPClient
package import BackendTransport
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// HTTP transport on AsyncHTTPClient, for Linux.
///
/// Each host has its own client, so that the inspection of a connection knows which host was meant. Connections are
/// kept for a minute and closed when the transport goes away.
package final class AsyncHTTPClientTransport: HTTPTransport {
    /// Hosts whose connections are kept at most; servers name further ones for lists of facets.
    private static let hostLimit = 32

    private let trust: TransportTrust
    private let connectionTimeout: Duration
    private let now: @Sendable () -> Int64
    private let hosts = Lock<[String: HostClient]>([:])

    /// Makes a transport; `now` gives the time in seconds since 1970 and is asked only where any issuer is trusted.
    ///
    /// A connection that is not up after `connectionTimeout` is given up for good. Until then later requests to the
    /// host wait for it, so it should be no longer than what a request is given.
    package init(
        trust: TransportTrust = TransportTrust(), connectionTimeout: Duration = .seconds(60),
        now: @escaping @Sendable () -> Int64
    ) {
        self.trust = trust
        self.connectionTimeout = connectionTimeout
        self.now = now
    }

    package func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let address = try BackendAddress(request.url)
        guard trust.issuers.admits(address.host) else { throw .refusedHost }
        try request.headers.requireUnambiguous()
        let host = try client(for: address)
        do {
            return try await request.withinTimeout { try await host.exchange(request) }
        } catch {
            throw Task.isCancelled
                ? .cancelled : BackendTransportError(reporting: error, limit: request.responseByteLimit)
        }
    }

    /// Certificate facts that the server at an address presented last, also when the connection was refused for them;
    /// nil unless any issuer is trusted, and before the first connection.
    package func presented(at url: String) -> ConnectionFacts? {
        guard let address = try? BackendAddress(url) else { return nil }
        return hosts.withLock { $0[address.authority]?.presented }
    }

    private func client(for address: BackendAddress) throws(BackendTransportError) -> HostClient {
        if let known = hosts.withLock({ $0[address.authority] }) { return known }
        let tls = try trust.tlsConfiguration()
        let inspector = ConnectionInspector(
            host: address.host, trust: trust, issuers: IssuerPins(trust: trust, host: address.host), now: now)
        let fresh = HostClient(tls: tls, inspector: inspector, connectionTimeout: connectionTimeout)
        return hosts.withLock { hosts in
            // Another task may have been faster.
            if let known = hosts[address.authority] { return known }
            // Exchanges that are under way keep theirs.
            if hosts.count >= Self.hostLimit, let other = hosts.keys.first { hosts[other] = nil }
            hosts[address.authority] = fresh
            return fresh
        }
    }
}

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

    /// Facts that the server presented last, also when the connection was refused for them.
    var presented: ConnectionFacts? { inspector.presented }

    deinit {
        // Lets idle connections close in the background; the library keeps what it needs until then.
        client.shutdown { _ in }
    }

    func exchange(_ request: BackendRequest) async throws -> BackendResponse {
        let response = try await client.execute(HTTPClientRequest(request), timeout: TimeAmount(request.timeout))
        let body = try await response.body.collect(upTo: request.responseByteLimit)
        guard let facts = inspector.facts(of: response.headers) else { throw BackendTransportError.noConnection }
        let fields = response.headers.filter { $0.name != ConnectionMark.field }
        return BackendResponse(
            status: Int(response.status.code),
            headers: HeaderFields(fields.map { HeaderFields.Field($0.name, $0.value) }),
            body: Array(body.readableBytesView), connection: facts)
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

extension BackendTransportError {
    init(reporting error: any Error, limit: Int) {
        switch error {
        case let error as BackendTransportError: self = error
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError: self = .responseTooLarge(limit: limit)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self = .untrustedConnection(.wrongHost)
        case is NIOSSLExtraError: self = .untrustedConnection(.handshake)
        case let error as NIOSSLError: self.init(tls: error)
        case is BoringSSLError: self = .untrustedConnection(.handshake)
        case is HTTPParserError: self = .malformedResponse
        case let error as HTTPClientError: self.init(client: error)
        case let error as IOError where error.errnoCode == ECONNREFUSED: self = .closedPort
        case let error as NIOConnectionError: self.init(connecting: error)
        default: self = .noConnection
        }
    }

    private init(tls error: NIOSSLError) {
        switch error {
        // An overloaded server, or one that stops, says nothing about its certificate.
        case .handshakeFailed(.sslError([.eofDuringHandshake])): self = .noConnection
        case .handshakeFailed(let cause):
            // The library names the reason only in its description.
            let isRefused = String(describing: cause).contains("CERTIFICATE_VERIFY_FAILED")
            self = .untrustedConnection(isRefused ? .untrustedCertificate : .handshake)
        case .unableToValidateCertificate, .noCertificateToValidate: self = .untrustedConnection(.untrustedCertificate)
        case .uncleanShutdown: self = .noConnection
        default: self = .untrustedConnection(.handshake)
        }
    }

    private init(connecting error: NIOConnectionError) {
        guard let last = error.connectionErrors.last?.error else {
            self = .unknownHost
            return
        }
        self = (last as? IOError)?.errnoCode == ECONNREFUSED ? .closedPort : .noConnection
    }

    private init(client error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
            .tlsHandshakeTimeout:
            self = .timedOut
        case .cancelled: self = .cancelled
        case .invalidURL, .emptyHost, .emptyScheme: self = .unusableAddress
        default: self = .noConnection
        }
    }
}

extension TimeAmount {
    /// The same time, as long as the library can express it.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(min(seconds, 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
