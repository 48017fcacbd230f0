import Crypto
import NIOCore
import NIOPosix
import NIOSSL
import ServerCore
import TestSupport
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("TLS session tickets (RFC 5077; RFC 8446, 2.2)", .timeLimit(.minutes(10)))
struct SessionTicketTests {
    private let probe: TLSProbe
    private let secret = SymmetricKey(size: .bits256)

    init() throws { probe = try .ecdsa() }

    /// Runs two listeners, as two processes of an installation do.
    private func listening(
        with identities: (ServingIdentity, ServingIdentity),
        _ body: @escaping @Sendable (_ here: Int, _ there: Int) async throws -> Void
    ) async throws {
        try await TLSProbe.listening(with: identities.0) { here in
            try await TLSProbe.listening(with: identities.1) { there in
                try await body(here, there)
            }
        }
    }

    /// An identity that shares its tickets.
    private func sharing(_ identity: ServerIdentity, _ secret: SymmetricKey) throws -> ServingIdentity {
        let serving = try ServingIdentity(identity)
        #expect(serving.shareTickets(of: secret))
        return serving
    }

    private func sessions(
        trusting probes: [TLSProbe], _ version: TLSVersion = .tlsv13
    ) throws -> TLSSessions {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(
            try probes.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.authorityPEM.utf8)) })
        configuration.minimumTLSVersion = .tlsv12
        configuration.maximumTLSVersion = version
        return try TLSSessions(of: NIOSSLContext(configuration: configuration))
    }

    /// Asks once over a new connection, which must be answered; true when it has resumed the session of the one before.
    private static func resumes(_ sessions: TLSSessions, _ port: Int) async throws -> Bool {
        let received = ReceivedOctets()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(
            .minutes(5)
        )
        .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(sessions.handler(serverHostname: "localhost"))
                try pipeline.addHandler(OctetReceiver(received))
            }
        }.connect(host: "127.0.0.1", port: port).get()
        let request = "GET /nevisfido/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try await channel.writeAndFlush(ByteBuffer(string: request)).get()
        let answer = await received.text { text, isClosed in isClosed || text.contains("\r\n\r\n") }
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        let isResumed = try await channel.pipeline.handler(type: NIOSSLClientHandler.self)
            .flatMapThrowing { try TLSSessions.isResumed($0) }.get()
        try await channel.close().get()
        return isResumed
    }

    @Test(
        "A client that comes back to another process of the installation resumes",
        arguments: [TLSVersion.tlsv12, .tlsv13])
    func otherProcess(_ version: TLSVersion) async throws {
        let (first, second) = (try sharing(probe.identity, secret), try sharing(probe.identity, secret))
        let sessions = try sessions(trusting: [probe], version)
        try await listening(with: (first, second)) { here, there in
            let first = try await Self.resumes(sessions, here)
            #expect(!first)
            #expect(try await Self.resumes(sessions, there))
            #expect(try await Self.resumes(sessions, here))
        }
    }

    @Test("A ticket of another installation leads to a full handshake", arguments: [TLSVersion.tlsv12, .tlsv13])
    func otherInstallation(_ version: TLSVersion) async throws {
        let foreign = SymmetricKey(size: .bits256)
        let (first, second) = (try sharing(probe.identity, foreign), try sharing(probe.identity, secret))
        let sessions = try sessions(trusting: [probe], version)
        try await listening(with: (first, second)) { here, there in
            _ = try await Self.resumes(sessions, here)
            #expect(try await !Self.resumes(sessions, there))
        }
    }

    @Test("A ticket of a secret that was replaced leads to a full handshake, and the next one is good")
    func replacedSecret() async throws {
        let serving = try sharing(probe.identity, secret)
        let sessions = try sessions(trusting: [probe])
        try await TLSProbe.listening(with: serving) { port in
            _ = try await Self.resumes(sessions, port)
            #expect(try await Self.resumes(sessions, port))
            #expect(serving.shareTickets(of: SymmetricKey(size: .bits256)))
            #expect(try await !Self.resumes(sessions, port))
            #expect(try await Self.resumes(sessions, port))
        }
    }

    @Test("The same secret again changes nothing")
    func sameSecret() async throws {
        let serving = try sharing(probe.identity, secret)
        let sessions = try sessions(trusting: [probe])
        let secret = secret
        try await TLSProbe.listening(with: serving) { port in
            _ = try await Self.resumes(sessions, port)
            #expect(serving.shareTickets(of: secret))
            #expect(try await Self.resumes(sessions, port))
        }
    }

    @Test("No session resumes under another certificate, and the tickets of the new one are shared, too")
    func otherCertificate() async throws {
        let other = try TLSProbe.ecdsa()
        let (first, second) = (try sharing(probe.identity, secret), try sharing(other.identity, secret))
        let sessions = try sessions(trusting: [probe, other])
        try await listening(with: (first, second)) { here, there in
            _ = try await Self.resumes(sessions, here)
            #expect(try first.replace(with: other.identity))
            #expect(try await !Self.resumes(sessions, here))
            #expect(try await Self.resumes(sessions, there))
        }
    }

    @Test("Octets that are no ticket lead to a full handshake", arguments: [0, 1, 16, 47, 200, 1_000])
    func forgedTicket(_ count: Int) async throws {
        let serving = try sharing(probe.identity, secret)
        let sessions = try sessions(trusting: [probe])
        try await TLSProbe.listening(with: serving) { port in
            _ = try await Self.resumes(sessions, port)
            sessions.forgeTicket([UInt8](repeating: 0xA5, count: count))
            #expect(try await !Self.resumes(sessions, port))
        }
    }

    @Test("Nothing is accepted before the handshake ends: what is sent early could be sent again")
    func earlyData() async throws {
        let serving = try sharing(probe.identity, secret)
        let sessions = try sessions(trusting: [probe])
        try await TLSProbe.listening(with: serving) { port in
            _ = try await Self.resumes(sessions, port)
            #expect(!sessions.isEmpty)
            #expect(!sessions.allowsEarlyData)
        }
    }
}
