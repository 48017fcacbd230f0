import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// The transport on AsyncHTTPClient: Linux, and whoever prefers it.
///
/// Each host has a client of its own, so that the inspection of a connection knows which host was meant. Connections are
/// kept for a minute and closed when the transport goes away.
package final class AsyncHTTPClientTransport: HTTPTransport {
    private let trust: TransportTrust
    private let connectionTimeout: Duration
    private let now: @Sendable () -> Int64
    private let hosts = Mutex<[String: HostClient]>([:])

    /// Makes a transport; `now` gives the time in seconds since 1970 and is asked only where any issuer is trusted.
    ///
    /// A connection that is not up after `connectionTimeout` is given up for good. Until then later requests to the host
    /// wait for it, so it should be no longer than what a request is given.
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
        try request.headers.requireUnambiguous()
        let host = try client(for: address)
        do {
            return try await request.withinTimeout { try await host.exchange(request) }
        } catch {
            throw Task.isCancelled
                ? .cancelled : BackendTransportError(reporting: error, limit: request.responseByteLimit)
        }
    }

    /// What the server at an address has shown last, also when the connection was refused for it; nil unless any issuer
    /// is trusted, and before the first connection.
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
            // Somebody else may have been faster.
            if let known = hosts[address.authority] { return known }
            hosts[address.authority] = fresh
            return fresh
        }
    }
}
