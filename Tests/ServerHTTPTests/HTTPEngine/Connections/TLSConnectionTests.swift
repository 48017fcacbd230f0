import NIOSSL
import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Connections: slow clients over TLS", .timeLimit(.minutes(10)))
struct TLSConnectionTests {
    private static let facets = "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let question =
        "POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r\nHost: a\r\n"
        + "Content-Type: application/fido+uaf;charset=UTF-8\r\nAccept: application/fido+uaf\r\n"

    private let probe: TLSProbe

    init() throws {
        probe = try TLSProbe.ecdsa()
    }

    /// A server on which nothing but the deadline of a request ends a connection.
    private func open(_ change: (inout RequestLimits) -> Void = { _ in }) async throws -> ServerFixture {
        var limits = RequestLimits()
        limits.idleTime = .seconds(600)
        limits.bodyTime = .milliseconds(500)
        change(&limits)
        return try await ServerFixture.open(limits: limits, on: .init(identity: probe.identity))
    }

    private func connect(_ port: Int) async throws -> RawConnection {
        try await RawConnection.open(port: port, tls: try probe.client { _ in })
    }

    @Test("S-H3: over TLS a whole request is answered, and the connection goes on")
    func sound() async throws {
        try await open().live { port in
            let client = try await connect(port)
            await client.send(Self.facets + Self.facets)
            let answers = await client.until("trustedFacets", count: 2)
            #expect(answers.ranges(of: "HTTP/1.1 200 ").count == 2)
            #expect(!answers.lowercased().contains("connection: close"))
            await client.close()
        }
    }

    @Test("S-H3: over TLS a body that trickles gets 408 and the end of its connection")
    func trickledBody() async throws {
        let service = try await open()
        try await service.live { port in
            let client = try await connect(port)
            await client.send(Self.question + "Content-Length: 60000\r\n\r\n{")
            client.trickle(" ")
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer.prefix(200))")
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
        #expect(service.metrics.text.contains(#"status="408"} 1"#))
    }

    @Test(
        "S-H3: over TLS header fields that trickle get 408 and the end of the connection, also after an answered request",
        arguments: ["", facets])
    func trickledHead(before: String) async throws {
        try await open().live { port in
            let client = try await connect(port)
            await client.send(before)
            if !before.isEmpty { _ = await client.until("trustedFacets") }
            await client.send("POST / HTTP/1.1\r\nHost: a\r\nX: ")
            client.trickle("y")
            let answers = await client.untilClosed()
            #expect(answers.ranges(of: "HTTP/1.1 ").count == (before.isEmpty ? 1 : 2))
            #expect(answers.ranges(of: "HTTP/1.1 408 ").count == 1)
        }
    }

    @Test("S-H3: over TLS an answer before the end of the body ends the connection, whatever still trickles")
    func refusedBody() async throws {
        try await open { $0.bodyTime = .seconds(600) }.live { port in
            let client = try await connect(port)
            await client.send("POST /nope HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{")
            client.trickle(" ")
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer.prefix(200))")
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
    }

    @Test("S-H3: a handshake that trickles ends after the idle time")
    func trickledHandshake() async throws {
        let service = try await open {
            $0.idleTime = .milliseconds(500)
            $0.bodyTime = .seconds(600)
        }
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send([0x16, 3, 1, 0x40, 0])
            client.trickle("\0")
            #expect(await client.untilClosed().isEmpty)
        }
    }

    @Test("O-J1: over TLS a head that cannot be read gets the error body and the end of its connection")
    func malformedHead() async throws {
        let service = try await open()
        try await service.live { port in
            let client = try await connect(port)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n" + Self.facets)
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""code":"malformedRequest""#))
            #expect(!answer.contains("trustedFacets"))
        }
        #expect(service.metrics.text.contains(#"status="400"} 1"#))
    }
}
