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

@testable import HTTPEngine
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

    /// Tries each client against one running server; true where the connection was made and answered, false where it was refused.
    ///
    /// An answer that does not come in time, or another than the route's, is neither: it throws.
    func answers(to clients: [TLSConfiguration]) async throws -> [Bool] {
        try await Self.listening(with: ServingIdentity(identity)) { port in
            var results: [Bool] = []
            for client in clients { results.append(try await Self.connects(to: port, client)) }
            return results
        }
    }

    /// Runs a listener for the length of `body`, which gets its port.
    static func listening<Result: Sendable>(
        with identity: ServingIdentity, _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var limits = RequestLimits()
        limits.idleTime = .seconds(300)
        let responder = HTTPRouting(limits: limits, metrics: MetricsRegistry(), now: { 0 })
            .managementResponder(health: ServerHealth())
        let application = try HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: limits, logger: logger
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

    private static func connects(to port: Int, _ configuration: TLSConfiguration) async throws -> Bool {
        var settings = HTTPClient.Configuration(tlsConfiguration: configuration)
        settings.connectionPool.retryConnectionEstablishment = false
        settings.timeout.connect = .minutes(5)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        let answer: Result<HTTPClientResponse, any Error>
        do {
            answer = .success(
                try await client.execute(
                    HTTPClientRequest(url: "https://localhost:\(port)/nevisfido/liveness"), timeout: .minutes(5)))
        } catch {
            answer = .failure(error)
        }
        try await client.shutdown()
        switch answer {
        case .success(let response):
            try #require(response.status == .ok)
            return true
        case .failure(let error as HTTPClientError) where error == .connectTimeout || error == .deadlineExceeded:
            throw error
        case .failure: return false
        }
    }
}
