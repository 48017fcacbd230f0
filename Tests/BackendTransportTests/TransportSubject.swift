import BackendTransportLinux
import Foundation
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import BackendTransport

/// A transport that the contract is tried with.
enum TransportSubject: CaseIterable {
    /// The transport of Linux, over TLS.
    case asyncHTTPClient
    /// The transport of Apple platforms, on the URLSession of this one.
    ///
    /// It takes no further issuers here, so exchanges that have to succeed run without TLS, behind the check of addresses.
    case urlSession

    /// One exchange with a server.
    typealias Exchange = @Sendable (BackendRequest) async throws(BackendTransportError) -> BackendResponse

    /// The transport as applications get it.
    var transport: any HTTPTransport {
        switch self {
        case .asyncHTTPClient: AsyncHTTPClientTransport { 0 }
        case .urlSession: URLSessionTransport()
        }
    }

    /// Starts a server and gives `body` its address and the way to it.
    func withServer(
        observer: LoopbackServer.Observer = .init(),
        _ body: @escaping @Sendable (String, @escaping Exchange) async throws -> Void
    ) async throws {
        switch self {
        case .asyncHTTPClient:
            let authority = try TestAuthority()
            try await LoopbackServer.run(try authority.identity().tlsConfiguration(), observer: observer) { port in
                let trust = TransportTrust(additionalCertificates: [try authority.der()])
                let transport = AsyncHTTPClientTransport(trust: trust) { 0 }
                try await body("https://localhost:\(port)") { request throws(BackendTransportError) in
                    try await transport.response(to: request)
                }
            }
        case .urlSession:
            try await LoopbackServer.run(nil, observer: observer) { port in
                let transport = URLSessionTransport()
                try await body("http://localhost:\(port)") { request throws(BackendTransportError) in
                    try await transport.exchange(request)
                }
            }
        }
    }

    /// Starts a server, sends it the request that `request` makes for its address, and gives back the response.
    func send(
        observer: LoopbackServer.Observer = .init(), _ request: @escaping @Sendable (String) -> BackendRequest
    ) async throws -> BackendResponse {
        let result = Mutex<Result<BackendResponse, BackendTransportError>?>(nil)
        try await withServer(observer: observer) { base, exchange in
            do throws(BackendTransportError) {
                let response = try await exchange(request(base))
                result.withLock { $0 = .success(response) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        return try #require(result.withLock { $0 }).get()
    }
}
