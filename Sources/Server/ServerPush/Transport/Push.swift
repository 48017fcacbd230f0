import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Octets
import ServerCore

/// The connections to the push service.
///
/// They follow no redirect, keep no cookies, unpack nothing and read a bounded answer; their TLS is set here and not
/// left to the library.
final class PushTransport: Sendable {
    static let responseByteLimit = 64 * 1024

    private let client: HTTPClient

    /// Trusts the issuers that the system knows and the issuers of the PEM text.
    ///
    /// Throws ``ServerPushError/unusableCertificates``.
    init(trustedCertificates: [UInt8]?, proxy: PushProxy?) throws(ServerPushError) {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try Self.tls(trustedCertificates), redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        // The time of each request counts.
        configuration.timeout.connect = .hours(1)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = proxy.map(Self.proxy)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // Lets idle connections close in the background; the library keeps what it needs until then.
        client.shutdown { _ in }
    }

    /// Sends a request and waits for the whole answer, no longer than `time`.
    func response(to request: PushRequest, within time: Duration) async throws(PushTransportError) -> PushResponse {
        let deadline = NIODeadline.now() + .nanoseconds(time.wholeMilliseconds * 1_000_000)
        do {
            return try await Self.race(time) { [client] in
                let answer = try await client.execute(HTTPClientRequest(request), deadline: deadline)
                let body = try await answer.body.collect(upTo: Self.responseByteLimit)
                return PushResponse(
                    status: Int(answer.status.code), retryAfter: answer.headers.first(name: "Retry-After"),
                    body: Array(body.readableBytesView))
            }
        } catch {
            throw Task.isCancelled ? .cancelled : PushTransportError(reporting: error)
        }
    }

    /// The library's deadline ends with the head of an answer; this one covers the body too.
    private static func race<Value: Sendable>(
        _ time: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: time)
                throw PushTransportError.timedOut
            }
            guard let value = try await group.next() else { throw PushTransportError.timedOut }
            return value
        }
    }

    private static func proxy(_ proxy: PushProxy) -> HTTPClient.Configuration.Proxy {
        guard let login = proxy.login else { return .server(host: proxy.host, port: proxy.port) }
        return login.withPassword { password in
            .server(
                host: proxy.host, port: proxy.port,
                authorization: .basic(username: login.user, password: password))
        }
    }

    /// Suites of TLS 1.2 with forward secrecy; the library fixes the suites of TLS 1.3.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func tls(_ trustedCertificates: [UInt8]?) throws(ServerPushError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = suites
        configuration.applicationProtocols = ["http/1.1"]
        configuration.certificateVerification = .fullVerification
        guard let trustedCertificates else { return configuration }
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(trustedCertificates)
            guard !certificates.isEmpty else { throw ServerPushError.unusableCertificates }
            configuration.additionalTrustRoots = [.certificates(certificates)]
        } catch {
            throw .unusableCertificates
        }
        return configuration
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: PushRequest) {
        self.init(url: request.url)
        method = .POST
        headers = ["Content-Type": request.contentType, "Accept": "application/json"]
        if let authorization = request.authorization {
            headers.add(name: "Authorization", value: authorization.reveal())
        }
        body = .bytes(ByteBuffer(bytes: request.body.reveal()))
    }
}

/// One request to the push service or to its token service.
struct PushRequest: Sendable {
    let url: String
    let contentType: String
    let authorization: Sensitive<String>?
    let body: Sensitive<[UInt8]>
}

/// A whole answer.
struct PushResponse: Sendable {
    let status: Int
    let retryAfter: String?
    let body: [UInt8]

    var isTemporary: Bool { status == 429 || (500...599).contains(status) }
}

/// Measures and spends the time in which a message is tried again.
package protocol PushTimer: Sendable {
    /// The time since some moment that stays the same; it never goes back.
    func elapsed() -> Duration

    /// Waits; throws when the task is cancelled.
    func pause(for duration: Duration) async throws
}
