import NIOSSL
import Testing

@testable import ServerHTTP

@Suite("TLS: versions and suites of the service listener")
struct TLSMatrixTests {
    private static let ecdsaSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    private static let rsaSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    private static let excludedSuites: [NIOTLSCipher] = [
        .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384, .TLS_RSA_WITH_AES_128_CBC_SHA,
        .TLS_RSA_WITH_AES_256_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,
        .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
    ]

    @Test("With an ECDSA certificate each of its three suites connects and every excluded one is refused")
    func ecdsa() async throws {
        try await check(.ecdsa(), accepted: Self.ecdsaSuites, refused: Self.excludedSuites + Self.rsaSuites)
    }

    @Test("With an RSA certificate each of its three suites connects and every excluded one is refused")
    func rsa() async throws {
        try await check(.rsa(), accepted: Self.rsaSuites, refused: Self.excludedSuites + Self.ecdsaSuites)
    }

    @Test("TLS 1.2 and 1.3 connect, 1.0 and 1.1 are refused")
    func versions() async throws {
        let probe = try TLSProbe.ecdsa()
        let clients = try [TLSVersion.tlsv13, .tlsv12, .tlsv11, .tlsv1].map { version in
            try probe.client { client in
                client.minimumTLSVersion = version
                client.maximumTLSVersion = version
            }
        }
        #expect(try await probe.answers(to: clients) == [true, true, false, false])
    }

    @Test("A client that does not know the authority refuses the server")
    func unknownAuthority() async throws {
        #expect(try await TLSProbe.ecdsa().answers(to: [.makeClientConfiguration()]) == [false])
    }

    private func check(_ probe: TLSProbe, accepted: [NIOTLSCipher], refused: [NIOTLSCipher]) async throws {
        let clients = try (accepted + refused).map { suite in
            try probe.client { client in
                client.maximumTLSVersion = .tlsv12
                client.cipherSuiteValues = [suite]
            }
        }
        let answers = try await probe.answers(to: clients)
        let wanted = accepted.map { _ in true } + refused.map { _ in false }
        #expect(answers == wanted)
    }
}
