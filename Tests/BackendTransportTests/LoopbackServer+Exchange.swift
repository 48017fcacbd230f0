import BackendTransport
import BackendTransportLinux
import Foundation
import NIOSSL
import Synchronization
import TestSupport

extension LoopbackServer {
    /// Starts a server, sends it the request that `request` makes for its address, and gives back the response.
    static func response(
        _ tls: TLSConfiguration, _ trust: TransportTrust, observer: Observer = Observer(),
        _ request: @escaping @Sendable (String) -> BackendRequest
    ) async throws -> BackendResponse {
        let result = Mutex<Result<BackendResponse, BackendTransportError>?>(nil)
        try await run(tls, observer: observer) { port in
            let transport = AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
            do throws(BackendTransportError) {
                let response = try await transport.response(to: request("https://localhost:\(port)"))
                result.withLock { $0 = .success(response) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        guard let outcome = result.withLock({ $0 }) else { throw BackendTransportError.noConnection }
        return try outcome.get()
    }
}
