import Logging
import ServerCore
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Connections: heads that cannot be read (RFC 9112, 2 to 5)", .timeLimit(.minutes(10)))
struct MalformedHeadTests {
    private static let path = "/nevisfido/uaf/1.1/facets"
    private static let facets = "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func head(_ fields: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static let malformed: [(request: String, reason: String)] = [
        (head("X : a"), "A header field"), (head("X\0: a"), "A header field"), (head("X: \0"), "A header field"),
        (head("X: \u{1}"), "A header field"), (head("X: a\r\n folded"), "A header field"),
        (head(": a"), "A header field"),
        (head("No-Colon"), "A header field"),
        ("GET \(path) HTTP/1.1\r\n\r\n", "one host"), (head("Host: b"), "one host"), (head("Host: a"), "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: a b\r\n\r\n", "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: a@b\r\n\r\n", "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: a/\r\n\r\n", "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: a:b\r\n\r\n", "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: a%2\r\n\r\n", "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: [::1\r\n\r\n", "one host"),
        ("GET \(path) HTTP/1.1\r\nHost: [a::g]\r\n\r\n", "one host"),
        ("G:T \(path) HTTP/1.1\r\nHost: a\r\n\r\n", "request line"),
        ("COW \(path) HTTP/1.1\r\nHost: a\r\n\r\n", "request line"),
        ("GET \(path) HTTP/2.0\r\nHost: a\r\n\r\n", "request line"),
        ("GET \(path)\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", "request line"),
        ("GET \(path) HTTP/1.1\nHost: a\n\n", "not well-formed"), ("GET \(path) FTP/1.1\r\n\r\n", "not well-formed"),
        ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}", "request line"),
    ]

    @Test(
        "O-J1: a head that cannot be read is refused like every request: with the error body, a metric and a log line",
        arguments: MalformedHeadTests.malformed)
    func refused(request: String, reason: String) async throws {
        try await expect("400", reason, for: request)
    }

    @Test(
        "O-J1: a head larger than any service takes is 431",
        arguments: [
            "GET \(path) HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 20_000))\r\n\r\n",
            "GET \(path) HTTP/1.1\r\nHost: a\r\n\(String(repeating: "b: c\r\n", count: 101))\r\n",
            "GET /\(String(repeating: "b", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func tooLarge(request: String) async throws {
        try await expect("431", "too large", for: request)
    }

    private func expect(_ status: String, _ reason: String, for request: String) async throws {
        let log = RecordedLog(.info)
        let service = try await ServerFixture.open(logger: log.logger)
        try await service.live { port in
            let client = try await RawConnection.open(port: port, from: "127.0.0.9")
            await client.send(request + Self.facets)
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(300))")
            #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "nothing behind it is answered")
            #expect(answer.lowercased().contains("connection: close\r\n"))
            #expect(answer.lowercased().contains("content-type: application/json"))
            #expect(answer.contains(#""code":"malformedRequest""#) && answer.contains(reason))
        }
        #expect(service.metrics.text.contains(#"signet_http_requests_total{endpoint="unknown",status="\#(status)"} 1"#))
        let lines = log.requests
        #expect(lines.count == 1 && lines.first?.level == .info)
        #expect(lines.first?.metadata["client"] == "127.0.0.9")
        #expect(lines.first?.metadata["status"] == status)
        #expect(lines.first?.metadata["reason"]?.contains(reason) == true)
    }

    @Test(
        "O-J1: what names a host, or need not, is answered",
        arguments: [
            "HTTP/1.1\r\nHost: a", "HTTP/1.1\r\nhost:server.example:8443", "HTTP/1.1\r\nHost: [2001:db8::1]:443",
            "HTTP/1.1\r\nHost: 127.0.0.1", "HTTP/1.1\r\nHost: a%20b~c", "HTTP/1.1\r\nHost:", "HTTP/1.0",
            "HTTP/1.0\r\nHost: a",
        ])
    func sound(rest: String) async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send("GET \(Self.path) \(rest)\r\n\r\n")
            #expect(await client.until("trustedFacets").hasPrefix("HTTP/1.1 200 "))
            await client.close()
        }
    }

    @Test("O-J1: a head that cannot be read is refused after the answers to the requests before it")
    func pipelined() async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.facets + Self.facets + Self.head("X : a") + Self.facets)
            let answers = await client.untilClosed()
            let statuses = answers.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }.filter {
                $0.allSatisfy(\.isNumber)
            }
            #expect(statuses == ["200", "200", "400"])
        }
    }

    @Test("O-J1: a client that leaves in the middle of a head is counted", arguments: [false, true])
    func leaving(halfClosed: Bool) async throws {
        let log = RecordedLog(.info)
        let service = try await ServerFixture.open(logger: log.logger)
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send("GET \(Self.path) HTTP/1.1\r\nHo")
            if halfClosed { await client.closeOutput() } else { await client.close() }
            #expect(await log.status == "400")
            if halfClosed { #expect(await client.untilClosed().hasPrefix("HTTP/1.1 400 ")) }
        }
        #expect(log.highestLevel < .warning)
    }

    @Test("O-J1: a client that says nothing, or leaves after its answer, is not counted as a refusal")
    func silent() async throws {
        let log = RecordedLog(.info)
        let service = try await ServerFixture.open(logger: log.logger)
        try await service.live { port in
            let silent = try await RawConnection.open(port: port)
            await silent.closeOutput()
            #expect(await silent.untilClosed().isEmpty)
            let client = try await RawConnection.open(port: port)
            await client.send(Self.facets)
            _ = await client.until("trustedFacets")
            await client.closeOutput()
            #expect(await client.untilClosed().ranges(of: "HTTP/1.1 ").count == 1)
        }
        #expect(log.requests.isEmpty)
    }

    @Test("S-H6, O-J1: refused requests have ten lines for an address, all are in the metrics and in one summary")
    func bounded() async throws {
        let log = RecordedLog(.info)
        let service = try await ServerFixture.open(logger: log.logger)
        let count = RefusalCounter.shownLimit + 5
        try await service.live { port in
            for number in 0..<count {
                let client = try await RawConnection.open(port: port, from: "127.0.0.9")
                let isReadable = number.isMultiple(of: 2)
                await client.send(isReadable ? "GET /nope HTTP/1.0\r\n\r\n" : Self.head("X : a"))
                #expect(await client.untilClosed().hasPrefix("HTTP/1.1 40"))
            }
            let other = try await RawConnection.open(port: port, from: "127.0.0.10")
            await other.send(Self.head("X : a"))
            _ = await other.untilClosed()
        }
        #expect(log.requests.count { $0.metadata["client"] == "127.0.0.9" } == RefusalCounter.shownLimit)
        #expect(log.requests.count { $0.metadata["client"] == "127.0.0.10" } == 1)
        #expect(service.metrics.text.contains(#"signet_http_requests_total{endpoint="unknown",status="400"} 8"#))
        #expect(service.metrics.text.contains(#"signet_http_requests_total{endpoint="unknown",status="404"} 8"#))
        let audited = try await service.auditKinds().count
        service.clock.advance(by: RefusalCounter.window)
        await service.services.maintain()
        let summaries = log.entries.filter { $0.message == "refused requests counted" }
        #expect(summaries.count == 1 && summaries.first?.level == .notice)
        let text = summaries.first?.metadata["summary"] ?? ""
        #expect(text.hasPrefix("16 refusals in 600 s from 2 sources: "))
        #expect(text.contains("400 malformedRequest 8") && text.contains("404 notFound 8"))
        #expect(text.contains("127.0.0.9 15"))
        #expect(try await service.auditKinds().count == audited, "a request without a key takes no place in the audit")
    }
}
