import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("Connections: bodies that are not complete", .timeLimit(.minutes(10)))
struct RefusedBodyTests {
    private static let question = "/nevisfido/uaf/1.1/request/authentication"
    private static let types =
        "Content-Type: application/fido+uaf;charset=UTF-8\r\nAccept: application/fido+uaf\r\n"

    /// Nothing ends by itself: what closes a connection here is what the test is about.
    private static func patient(_ change: (inout RequestLimits) -> Void = { _ in }) -> RequestLimits {
        var limits = RequestLimits()
        limits.idleTime = .seconds(600)
        limits.bodyTime = .seconds(120)
        change(&limits)
        return limits
    }

    private static func head(_ line: String, _ fields: String, length: Int = 1_000_000) -> String {
        "\(line) HTTP/1.1\r\nHost: server.example\r\n\(fields)Content-Length: \(length)\r\n\r\n"
    }

    private static let refusedHeads: [(head: String, status: String)] = [
        (head("POST /nope", types), "404"), (head("PUT \(question)", types), "405"),
        (head("POST \(question)", "Content-Type: text/plain\r\nAccept: application/fido+uaf\r\n"), "415"),
        (head("POST \(question)", "Content-Type: application/fido+uaf;charset=UTF-8\r\nAccept: text/html\r\n"), "406"),
        (head("POST \(question)", types), "413"), (head("GET /nevisfido/uaf/1.1/facets", ""), "200"),
        (head("POST \(question)", "\(types)Content-Encoding: gzip\r\n"), "400"),
    ]

    @Test(
        "S-H3: an answer before the body is complete says close, and the connection ends though the body never does",
        arguments: RefusedBodyTests.refusedHeads)
    func refused(head: String, status: String) async throws {
        let service = try await ServerFixture.open(limits: Self.patient())
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(head + "x")
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
    }

    @Test("S-H3: a request too many ends its connection when its body is still on the way")
    func throttled() async throws {
        let limits = Self.patient { $0.perAddress = RateLimit(perSecond: 1, burst: 1) }
        let service = try await ServerFixture.open(limits: limits)
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send("GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.until("trustedFacets").hasPrefix("HTTP/1.1 200 "))
            await client.send(Self.head("POST \(Self.question)", Self.types))
            let answers = await client.untilClosed()
            #expect(answers.contains("HTTP/1.1 429 "))
            #expect(answers.lowercased().ranges(of: "connection: close\r\n").count == 1)
        }
    }

    @Test("S-H3: a refusal after a body that has arrived leaves the connection usable")
    func usable() async throws {
        let service = try await ServerFixture.open(limits: Self.patient())
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.head("POST /nope", Self.types, length: 5) + "hello")
            #expect(await client.until("notFound").hasPrefix("HTTP/1.1 404 "))
            await client.send("GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n")
            let answers = await client.until("trustedFacets")
            #expect(answers.contains("HTTP/1.1 200 "))
            #expect(!answers.lowercased().contains("connection: close"))
        }
    }

    @Test("S-H3: a body that stops on its way gets 408 and the end of its connection")
    func stalled() async throws {
        let service = try await ServerFixture.open(limits: Self.patient { $0.bodyTime = .milliseconds(300) })
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.head("POST \(Self.question)", Self.types, length: 50) + "{")
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 408 "))
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
    }

    @Test("S-H3: sixty slow senders of one address, as many as there may be connections, keep no other address out")
    func connectionsPerAddress() async throws {
        let service = try await ServerFixture.open(limits: Self.patient { $0.connectionCount = 60 })
        try await service.live { port in
            var slow: [RawConnection] = []
            for _ in 0..<60 {
                let client = try await RawConnection.open(port: port, from: "127.0.0.2")
                await client.send("POST /nope HTTP/1.1\r\n")
                slow.append(client)
            }
            let honest = try await RawConnection.open(port: port, from: "127.0.0.3")
            await honest.send("GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await honest.until("trustedFacets").hasPrefix("HTTP/1.1 200 "))
            for client in slow { await client.close() }
            await honest.close()
        }
    }

    @Test("S-H3: an address has the connections that it may and no more, and room again when one is closed")
    func counter() {
        let counter = ConnectionCounter(limit: 2)
        #expect(counter.enter("a") && counter.enter("a") && counter.enter("b"))
        #expect(!counter.enter("a"))
        counter.leave("a")
        #expect(counter.enter("a"))
        #expect(!counter.enter("a"))
        var limits = RequestLimits()
        #expect(limits.effectiveConnectionCountPerAddress == 2_500)
        limits.connectionCount = 2
        #expect(limits.effectiveConnectionCountPerAddress == 1)
        limits.connectionCountPerAddress = 7
        #expect(limits.effectiveConnectionCountPerAddress == 7)
    }
}
