import BackendTransport
import BackendTransportLinux
import Crypto
import Foundation
import NIOSSL
import TestSupport
import Testing

@Suite("SDK-14 and SEC-27: whom the transport talks to", .serialized, .timeLimit(.minutes(10)))
struct TLSTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    @Test("A server with a certificate of a trusted issuer is talked to, over TLS 1.2 and 1.3")
    func trusted() async throws {
        let versions: [(TLSVersion, ConnectionFacts.Version)] = [(.tlsv12, .tls12), (.tlsv13, .tls13)]
        for (maximum, version) in versions {
            let identity = try authority.identity()
            let key = Array(SHA256.hash(data: identity.key.publicKey.derRepresentation))
            let response = try await get(identity.tlsConfiguration(maximum: maximum), trust())
            #expect(response.status == 200 && response.body == Array("hello".utf8))
            #expect(response.connection?.version == version)
            #expect(response.connection?.certificate == (try identity.der()))
            #expect(response.connection?.publicKeyPin == PublicKeyPin(key))
        }
    }

    @Test("A certificate of an unknown issuer, or of the server itself, is refused")
    func unknownIssuer() async throws {
        let other = try TestAuthority()
        for identity in [try other.identity(), try authority.identity(.init(isSelfSigned: true))] {
            await expect(.untrustedCertificate, identity, trust: try trust())
        }
        await expect(.untrustedCertificate, try authority.identity(), trust: TransportTrust())
    }

    @Test("An expired certificate and one of tomorrow are refused")
    func dates() async throws {
        let now = Date()
        let wishes = [
            TestAuthority.Wish(start: now - 7_200, end: now - 3_600),
            TestAuthority.Wish(start: now + 3_600, end: now + 7_200),
        ]
        for wish in wishes { await expect(.untrustedCertificate, try authority.identity(wish), trust: try trust()) }
    }

    @Test("A certificate for another host is refused")
    func wrongHost() async throws {
        let identity = try authority.identity(.init(hosts: ["other.example"]))
        await expect(.wrongHost, identity, trust: try trust())
    }

    @Test("With pins only a server with one of the keys is talked to, and nothing is sent to another")
    func pins() async throws {
        let identity = try authority.identity()
        let pin = try #require(PublicKeyPin(Array(SHA256.hash(data: identity.key.publicKey.derRepresentation))))
        let other = try #require(PublicKeyPin([UInt8](repeating: 1, count: 32)))
        #expect(try await get(identity.tlsConfiguration(), trust(pins: [other, pin])).status == 200)
        let observer = LoopbackServer.Observer()
        await expect(.pinMismatch, identity, trust: try trust(pins: [other]), observer: observer)
        #expect(observer.seen.isEmpty)
    }

    @Test("Certificates are read from PEM; what is none is refused")
    func pem() throws {
        #expect(try TransportTrust.certificates(inPEM: authority.pem()) == [authority.der()])
        for bad in [[], Array("no certificate".utf8)] {
            #expect(throws: BackendTransportError.unusableTrustSettings) {
                try TransportTrust.certificates(inPEM: bad)
            }
        }
    }

    @Test("An additional certificate that is none makes every request fail")
    func unusableTrust() async {
        let transport = AsyncHTTPClientTransport(trust: TransportTrust(additionalCertificates: [[1, 2]])) { 0 }
        await #expect(throws: BackendTransportError.unusableTrustSettings) {
            try await transport.response(to: BackendRequest(.get, "https://localhost/"))
        }
    }

    private func trust(pins: Set<PublicKeyPin> = []) throws -> TransportTrust {
        TransportTrust(additionalCertificates: [try authority.der()], pins: pins)
    }

    private func get(
        _ tls: TLSConfiguration, _ trust: TransportTrust, observer: LoopbackServer.Observer = .init()
    ) async throws -> BackendResponse {
        try await LoopbackServer.response(tls, trust, observer: observer) { BackendRequest(.get, $0 + "/hello") }
    }

    private func expect(
        _ failure: TLSFailure, _ identity: TestAuthority.Identity, trust: TransportTrust,
        observer: LoopbackServer.Observer = .init()
    ) async {
        await #expect(throws: BackendTransportError.untrustedConnection(failure)) {
            _ = try await get(identity.tlsConfiguration(), trust, observer: observer)
        }
    }
}
