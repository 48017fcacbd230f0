import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("SRV-22: the certificate of the listener is replaced while it listens", .timeLimit(.minutes(10)))
struct CertificateChangeTests {
    private let old: TLSProbe
    private let new: TLSProbe

    init() throws {
        old = try .ecdsa()
        new = try .rsa()
    }

    /// A client that trusts the authorities of some probes.
    private func client(trusting probes: [TLSProbe]) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(
            try probes.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.authorityPEM.utf8)) })
        return HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: tls))
    }

    private static func status(_ client: HTTPClient, _ port: Int, isClosing: Bool = false) async throws -> UInt {
        var request = HTTPClientRequest(url: "https://localhost:\(port)/nevisfido/liveness")
        if isClosing { request.headers.add(name: "Connection", value: "close") }
        let response = try await client.execute(request, timeout: .minutes(5))
        _ = try await response.body.collect(upTo: 1 << 16)
        return response.status.code
    }

    @Test("Under load no request fails when the certificate changes, and new connections get the new one")
    func load() async throws {
        let identity = try ServingIdentity(old.identity)
        let (both, onlyNew) = (try client(trusting: [old, new]), try client(trusting: [new]))
        defer { for client in [both, onlyNew] { client.shutdown { _ in } } }
        let fresh = new.identity
        try await TLSProbe.listening(with: identity) { port in
            // Half of the workers keep their connection, half make a new one for each request.
            let ask: @Sendable (Int, ClosedRange<Int>) async throws -> [UInt] = { worker, rounds in
                var codes: [UInt] = []
                for _ in rounds { codes.append(try await Self.status(both, port, isClosing: worker % 2 == 0)) }
                return codes
            }
            let codes = try await withThrowingTaskGroup(of: [UInt].self) { group in
                for worker in 1..<4 { group.addTask { try await ask(worker, 1...60) } }
                group.addTask {
                    let before = try await ask(0, 1...20)
                    #expect(try identity.replace(with: fresh))
                    return try await before + ask(0, 21...60)
                }
                return try await group.reduce(into: [UInt]()) { $0 += $1 }
            }
            #expect(codes == [UInt](repeating: 200, count: 240))
            #expect(try await Self.status(onlyNew, port) == 200)
            for client in [both, onlyNew] { try await client.shutdown() }
        }
    }

    @Test("The old certificate counts as long as a connection has it, and no longer")
    func generations() async throws {
        let identity = try ServingIdentity(old.identity)
        let keeping = try client(trusting: [old, new])
        defer { keeping.shutdown { _ in } }
        let (fresh, former) = (new.identity, old.identity.chainPEM)
        try await TLSProbe.listening(with: identity) { port in
            #expect(try await Self.status(keeping, port) == 200)
            #expect(try identity.replace(with: fresh))
            #expect(try !identity.replace(with: fresh), "it is in use already")
            #expect(identity.chains == [fresh.chainPEM, former])
            // Ends the connection that the first request has left open.
            #expect(try await Self.status(keeping, port, isClosing: true) == 200)
            while identity.chains.count > 1 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(identity.chains == [fresh.chainPEM])
            try await keeping.shutdown()
        }
    }

    @Test("A key that does not belong to the chain changes nothing")
    func unusable() throws {
        let identity = try ServingIdentity(old.identity)
        let wrong = ServerIdentity(chainPEM: new.identity.chainPEM, privateKeyPEM: "no key")
        #expect(throws: ServerIdentityError.unusableCertificate) { try identity.replace(with: wrong) }
        #expect(identity.chains == [old.identity.chainPEM])
    }
}
