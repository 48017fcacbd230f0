import AsyncHTTPClient
import Crypto
import CryptoExtras
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOHTTP1
import NIOSSL
import ServerCore
import SwiftASN1
import Testing
import X509

@testable import ServerHTTP

/// A server with one route behind real TLS, and clients that offer chosen versions and suites.
struct TLSProbe {
    let identity: ServerIdentity
    let authorityPEM: String

    /// A server with a P-256 certificate, as it makes for itself.
    static func ecdsa() throws -> TLSProbe {
        let authority = try LoopbackAuthority.make(now: Date())
        return TLSProbe(
            identity: try authority.identity(now: Date()).identity, authorityPEM: authority.certificatePEM)
    }

    /// A server with a self-signed RSA certificate, as an operator may bring.
    static func rsa() throws -> TLSProbe {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: Date() - 60,
            notValidAfter: Date() + 3_600, issuer: name, subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                SubjectAlternativeNames([.dnsName("localhost")])
                try ExtendedKeyUsage([.serverAuth])
            }, issuerPrivateKey: .init(key))
        let pem = try certificate.serializeAsPEM().pemString
        return TLSProbe(
            identity: ServerIdentity(chainPEM: pem, privateKeyPEM: key.pemRepresentation), authorityPEM: pem)
    }

    /// Tries each client against one running server; true where the connection was made and answered.
    func answers(to clients: [TLSConfiguration]) async throws -> [Bool] {
        try await Self.listening(with: ServingIdentity(identity)) { port in
            var results: [Bool] = []
            for client in clients { results.append(await Self.connects(to: port, client)) }
            return results
        }
    }

    /// Runs a listener for the length of `body`, which gets its port.
    static func listening<Result: Sendable>(
        with identity: ServingIdentity, _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let responder = HTTPRouting(limits: RequestLimits(), metrics: MetricsRegistry(), now: { 0 })
            .managementResponder(health: ServerHealth(indicators: []))
        let application = try HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: RequestLimits(), logger: logger
        ).application(responder: responder, identity: identity, started: { _ in })
        return try await application.test(.ahc(.https)) { server in try await body(try #require(server.port)) }
    }

    /// A client that trusts the server's authority.
    func client(_ change: (inout TLSConfiguration) -> Void) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorityPEM.utf8)))
        change(&configuration)
        return configuration
    }

    private static func connects(to port: Int, _ configuration: TLSConfiguration) async -> Bool {
        var settings = HTTPClient.Configuration(tlsConfiguration: configuration)
        settings.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        let answer = try? await client.execute(
            HTTPClientRequest(url: "https://localhost:\(port)/nevisfido/liveness"), timeout: .seconds(10))
        try? await client.shutdown()
        return answer?.status.code == 200
    }
}
