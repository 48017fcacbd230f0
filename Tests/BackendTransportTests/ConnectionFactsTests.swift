import BackendTransportLinux
import Foundation
import NIOSSL
import TestSupport
import Testing
import X509

@testable import BackendTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A-4: what a transport tells of the connection", .serialized, .timeLimit(.minutes(10)))
struct ConnectionFactsTests {
    @Test("The signature algorithm of a certificate is told by its identifier, whatever the kind of the key")
    func algorithms() throws {
        let identifiers: [(TestChain.KeyKind, String)] = [
            (.p256, "1.2.840.10045.4.3.2"), (.p384, "1.2.840.10045.4.3.3"), (.p521, "1.2.840.10045.4.3.4"),
            (.rsa, "1.2.840.113549.1.1.11"),
        ]
        for (kind, identifier) in identifiers {
            let facts = try #require(ConnectionFacts(certificate: try TestChain(authorities: kind).leaf.der))
            #expect(facts.signatureAlgorithm == identifier)
            #expect(!facts.isWeaklySigned)
        }
        let forgeable = try TestChain(authorities: .rsa, leafSignature: .sha1WithRSAEncryption).leaf
        let facts = try #require(ConnectionFacts(certificate: try forgeable.der))
        #expect(facts.signatureAlgorithm == "1.2.840.113549.1.1.5" && facts.isWeaklySigned)
        #expect(facts.publicKeyPin == (try forgeable.pin))
    }

    @Test("Bytes that are no certificate make no facts, and none of a certificate's beginnings traps")
    func noCertificate() throws {
        let der = try TestChain().leaf.der
        for count in 0..<der.count { #expect(ConnectionFacts(certificate: Array(der.prefix(count))) == nil) }
    }

    @Test("The certificate that was validated is told with the response")
    func linux() async throws {
        let old = try TestChain()
        let new = try old.renewed()
        let transport = AsyncHTTPClientTransport(
            trust: TransportTrust(additionalCertificates: [try old.root.der])
        ) { 0 }
        for chain in [old, new] {
            let certificate = try chain.leaf.der
            try await LoopbackServer.run(try chain.tlsConfiguration()) { port in
                let response = try await transport.response(
                    to: BackendRequest(.get, "https://localhost:\(port)/hello"))
                #expect(response.connection?.certificate == certificate)
            }
        }
    }

    @Test("A response tells of its own connection, also when another one was made since")
    func twoConnections() async throws {
        let old = try TestChain()
        let new = try old.renewed()
        let server = try await TwoFacedServer(try old.tlsConfiguration(), then: try new.tlsConfiguration())
        let transport = AsyncHTTPClientTransport(
            trust: TransportTrust(additionalCertificates: [try old.root.der])
        ) { 0 }
        let request = BackendRequest(.get, "https://localhost:\(server.port)/")
        async let first = transport.response(to: request)
        try await server.arrival()
        let second = try await transport.response(to: request)
        server.release()
        #expect(second.connection?.certificate == (try new.leaf.der))
        let late = try await first
        #expect(late.connection?.certificate == (try old.leaf.der))
        // A mark of the server's own counts for nothing, and none is given out.
        #expect(late.headers.first("signet-connection") == nil)
        try await server.stop()
    }

    @Test("With an answer goes the certificate of the connection that was made for it, whatever came meanwhile")
    func ownConnection() async throws {
        let tasks = URLSessionTasks(TransportTrust())
        let session = URLSession(configuration: .ephemeral)
        let address = try #require(URL(string: "https://localhost:8443/"))
        let authority = try #require(URLSessionTasks.Authority(address))
        let (own, other) = (try TestChain().leaf.der, try TestChain().leaf.der)
        var facts: [[UInt8]?] = []
        for isOwn in [true, false] {
            let task = session.dataTask(with: address)
            let outcomes = tasks.outcomes(of: task, byteLimit: 100)
            if isOwn { tasks.note(own, of: authority, for: task.taskIdentifier) }
            tasks.note(other, of: authority, for: -1)
            let response = try #require(
                HTTPURLResponse(url: address, statusCode: 200, httpVersion: nil, headerFields: nil))
            tasks.urlSession(session, dataTask: task, didReceive: response) { _ in }
            tasks.urlSession(session, task: task, didCompleteWithError: nil)
            for await outcome in outcomes { facts.append(try outcome.get().connection?.certificate) }
        }
        #expect(facts == [own, other])
    }

    @Test("The URL loading system asks once for each connection; the answer is told with each response of the server")
    func urlSession() async throws {
        let certificate = try TestChain().leaf.der
        try await LoopbackServer.run(nil) { port in
            let transport = URLSessionTransport()
            let request = BackendRequest(.get, "http://localhost:\(port)/hello")
            let first = try await transport.exchange(request)
            #expect(first.connection == nil)
            transport.tasks.note(certificate, of: URLSessionTasks.Authority(host: "LocalHost", port: port), for: 0)
            for _ in 1...2 {
                let response = try await transport.exchange(request)
                #expect(response.connection?.certificate == certificate)
            }
            transport.tasks.note([1], of: URLSessionTasks.Authority(host: "localhost", port: port), for: 0)
            let other = try await transport.exchange(request)
            #expect(other.connection == nil)
        }
    }
}
