import BackendTransport
import BackendTransportLinux
import NIOSSL
import TestSupport
import Testing
import X509

@Suite("D-L5: versions and suites that the transport speaks, one by one", .serialized, .timeLimit(.minutes(10)))
struct TLSSuiteTests {
    private static let forwardSecret: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    private static let withoutForwardSecrecy: [NIOTLSCipher] = [
        .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384,
    ]
    private static let excluded: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
        .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA, .TLS_RSA_WITH_AES_128_CBC_SHA,
        .TLS_RSA_WITH_AES_256_CBC_SHA,
    ]

    private let ecdsa: TestChain
    private let rsa: TestChain

    init() throws {
        ecdsa = try TestChain()
        rsa = try TestChain(leaf: .rsa)
    }

    private static let forECDSA: Set<NIOTLSCipher> = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,
        .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
    ]

    private func chain(for suite: NIOTLSCipher) -> TestChain { Self.forECDSA.contains(suite) ? ecdsa : rsa }

    /// Asks a server of TLS 1.2 that has one suite.
    private func connect(_ suite: NIOTLSCipher, allowingAll: Bool = false) async throws -> ConnectionFacts? {
        let chain = chain(for: suite)
        var tls = try chain.tlsConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.maximumTLSVersion = .tlsv12
        tls.cipherSuiteValues = [suite]
        let trust = TransportTrust(
            additionalCertificates: [try chain.root.der], allowsSuitesWithoutForwardSecrecy: allowingAll)
        return try await LoopbackServer.response(tls, trust) { BackendRequest(.get, $0 + "/hello") }.connection
    }

    private func refuses(_ suite: NIOTLSCipher, allowingAll: Bool = false) async {
        await #expect(throws: BackendTransportError.untrustedConnection(.handshake), "\(suite.rawValue)") {
            _ = try await connect(suite, allowingAll: allowingAll)
        }
    }

    @Test("Each suite of TLS 1.2 with forward secrecy connects", arguments: forwardSecret)
    func listed(suite: NIOTLSCipher) async throws {
        #expect(try await connect(suite)?.version == .tls12)
    }

    @Test("Each of the two suites without forward secrecy is refused, unless the setting allows it")
    func optional() async throws {
        for suite in Self.withoutForwardSecrecy {
            await refuses(suite)
            #expect(try await connect(suite, allowingAll: true)?.version == .tls12)
        }
        #expect(try await connect(Self.forwardSecret[0], allowingAll: true)?.version == .tls12)
    }

    @Test("Every other suite is refused, whatever is allowed", arguments: excluded)
    func others(suite: NIOTLSCipher) async {
        await refuses(suite)
        await refuses(suite, allowingAll: true)
    }

    @Test("TLS 1.0 and TLS 1.1 are refused, whatever is allowed", arguments: [TLSVersion.tlsv1, .tlsv11])
    func oldVersions(version: TLSVersion) async throws {
        for chain in [ecdsa, rsa] {
            var tls = try chain.tlsConfiguration()
            tls.minimumTLSVersion = .tlsv1
            tls.maximumTLSVersion = version
            let trust = TransportTrust(
                additionalCertificates: [try chain.root.der], allowsSuitesWithoutForwardSecrecy: true)
            await #expect(throws: BackendTransportError.untrustedConnection(.handshake)) {
                _ = try await LoopbackServer.response(tls, trust) { BackendRequest(.get, $0 + "/hello") }
            }
        }
    }

    @Test(
        "Each suite of TLS 1.3 connects",
        .enabled(if: OpenSSLServer.isInstalled, Comment(rawValue: OpenSSLServer.absence)),
        arguments: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])
    func suitesOfTLS13(suite: String) async throws {
        let server = try OpenSSLServer(ecdsa, ["-tls1_3", "-ciphersuites", suite])
        defer { server.stop() }
        let transport = AsyncHTTPClientTransport(
            trust: TransportTrust(additionalCertificates: [try ecdsa.root.der])
        ) { 0 }
        let response = try await transport.response(to: BackendRequest(.get, "https://localhost:\(server.port)/"))
        #expect(response.status == 200 && response.connection?.version == .tls13)
        #expect(String(decoding: response.body, as: UTF8.self).contains("Cipher is \(suite)"))
    }

    @Test("SDK-14: A certificate signed over SHA-1 is refused, also where any issuer is trusted")
    func sha1() async throws {
        let sound = try TestChain(authorities: .rsa)
        let forgeable = try TestChain(authorities: .rsa, leafSignature: .sha1WithRSAEncryption)
        for (chain, isSound) in [(sound, true), (forgeable, false)] {
            for issuers in [TransportTrust.Issuers.known, .anyAt(LocalHosts())] {
                let trust = TransportTrust(issuers: issuers, additionalCertificates: [try chain.root.der])
                do throws(BackendTransportError) {
                    let status = try await hello(chain, trust)
                    #expect(status == 200 && isSound)
                } catch {
                    #expect(error == .untrustedConnection(.untrustedCertificate) && !isSound)
                }
            }
        }
    }

    /// Status of an exchange with a server that shows a chain.
    private func hello(_ chain: TestChain, _ trust: TransportTrust) async throws(BackendTransportError) -> Int {
        do {
            return try await LoopbackServer.response(try chain.tlsConfiguration(), trust) {
                BackendRequest(.get, $0 + "/hello")
            }.status
        } catch {
            throw (error as? BackendTransportError) ?? .noConnection
        }
    }
}
