import BackendTransport
import BackendTransportLinux
import Foundation
import TestSupport
import Testing

@Suite("O-M10: a phone gives up on a silent server in the time it was given", .timeLimit(.minutes(10)))
struct SilenceTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    private func transport(_ connectionTimeout: Duration = .seconds(30)) throws -> AsyncHTTPClientTransport {
        AsyncHTTPClientTransport(
            trust: TransportTrust(additionalCertificates: [try authority.der()]), connectionTimeout: connectionTimeout
        ) { Int64(Date().timeIntervalSince1970) }
    }

    @Test(
        "O-M10: a server that is silent after the handshake, breaks off in a header, or trickles, is given up",
        arguments: SilentServer.Behaviour.allCases)
    func afterHandshake(behaviour: SilentServer.Behaviour) async throws {
        let server = try await SilentServer(behaviour, try authority.identity().tlsConfiguration())
        let transport = try transport()
        await #expect(throws: BackendTransportError.timedOut) {
            _ = try await transport.response(
                to: BackendRequest(.get, "https://localhost:\(server.port)/", timeout: .milliseconds(400)))
        }
        try await server.stop()
    }

    @Test("O-M10: a server that takes the connection and does not answer the handshake is given up")
    func beforeHandshake() async throws {
        let listener = try RawListener(.silent)
        defer { listener.stop() }
        let transport = try transport()
        await #expect(throws: BackendTransportError.timedOut) {
            _ = try await transport.response(
                to: BackendRequest(.get, "https://localhost:\(listener.port)/", timeout: .milliseconds(400)))
        }
    }

    @Test(
        "A server that ends the connection within the handshake, as an overloaded one does, is no reason for distrust")
    func endOfHandshake() async throws {
        let listener = try RawListener(.cutOff)
        defer { listener.stop() }
        let transport = try transport()
        await #expect(throws: BackendTransportError.noConnection) {
            _ = try await transport.response(
                to: BackendRequest(.get, "https://localhost:\(listener.port)/", timeout: .seconds(300)))
        }
    }

    @Test("O-M10: a connection that hung is given up too: the next request makes a new one")
    func nextRequest() async throws {
        let listener = try RawListener(.silentFirst)
        defer { listener.stop() }
        let transport = try transport(.milliseconds(300))
        let address = "https://localhost:\(listener.port)/"
        await #expect(throws: BackendTransportError.timedOut) {
            _ = try await transport.response(to: BackendRequest(.get, address, timeout: .milliseconds(100)))
        }
        // It speaks no TLS, which only a connection of its own can tell.
        await #expect(throws: BackendTransportError.untrustedConnection(.handshake)) {
            while true {
                do throws(BackendTransportError) {
                    _ = try await transport.response(to: BackendRequest(.get, address, timeout: .seconds(20)))
                } catch {
                    // The request may still have met the first connection on its last way.
                    guard error == .timedOut else { throw error }
                }
            }
        }
    }
}
