import Logging
import ServerCore
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Connections: framing (RFC 9112)", .timeLimit(.minutes(10)))
struct FramingTests {
    private static let facets = "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let line = "POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r\nHost: a\r\n"
    private static let start =
        line + "Content-Type: application/fido+uaf;charset=UTF-8\r\nAccept: application/fido+uaf\r\n"
    private static let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"
    private static let question = #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#

    private static func chunk(_ size: String, _ end: String = "\r\n0\r\n\r\n") -> String {
        "\(size)\r\n\(question)\(end)"
    }

    private static var size: String { String(question.utf8.count, radix: 16) }

    private static let malformedRequests: [String] = [
        "\(start)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk(size))",
        "\(start)Transfer-Encoding: chunked, chunked\r\n\r\n\(chunk(size))",
        "\(start)Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n\(chunk(size))",
        "\(start)Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "\(start)Content-Length: -5\r\n\r\nhello", "\(start)Content-Length: +5\r\n\r\nhello",
        "\(start)Content-Length: 99999999999999999999\r\n\r\nhello",
        "\(chunked)\(chunk("-5"))", "\(chunked)\(chunk("FFFFFFFFFFFFFFFFF"))", "\(chunked)\(chunk("xyz"))",
        "\(chunked)\(chunk("0x"))", "\(chunked)\(size)\n\(question)\n0\n\n",
        "\(chunked)\(chunk(size, "XX0\r\n\r\n"))",
        "\(chunked)\(chunk(size, "\r\n0\r\n\(String(repeating: "a: b\r\n", count: 3_000))\r\n"))",
    ]

    @Test(
        "O-J1: malformed framing is a fault of the client, and the connection ends",
        arguments: FramingTests.malformedRequests)
    func malformed(request: String) async throws {
        try await expect("400", for: request)
    }

    @Test(
        "O-J1: a body whose last transfer coding is not chunked has no end, and is a fault of the client",
        arguments: ["gzip", "identity", "chunked, gzip", "x", "gzip, chunked, x", "chunked\r\nTransfer-Encoding: x"])
    func lastCoding(field: String) async throws {
        try await expect("400", for: Self.start + "Transfer-Encoding: \(field)\r\n\r\n" + Self.chunk(Self.size))
    }

    @Test(
        "O-J1: chunked is no coding of a body that is chunked already",
        arguments: ["chunked, gzip, chunked", ", chunked"])
    func codingTwice(field: String) async throws {
        try await expect("400", for: Self.start + "Transfer-Encoding: \(field)\r\n\r\n" + Self.chunk(Self.size))
    }

    @Test(
        "O-J1, O-J3: a transfer coding before chunked is not implemented",
        arguments: ["gzip, chunked", "x,chunked", "identity, Chunked", "gzip\r\nTransfer-Encoding: chunked"])
    func coding(field: String) async throws {
        try await expect("501", for: Self.start + "Transfer-Encoding: \(field)\r\n\r\n" + Self.chunk(Self.size))
    }

    @Test("O-J3: chunked alone is read, in any case of letters", arguments: ["chunked", "Chunked"])
    func chunked(field: String) async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.start + "Transfer-Encoding: \(field)\r\n\r\n" + Self.chunk(Self.size))
            #expect(await client.until("statusCode").hasPrefix("HTTP/1.1 200 "))
            await client.close()
        }
    }

    private func expect(_ status: String, for request: String) async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(request)
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(200))")
            #expect(answer.ranges(of: "HTTP/1.1 ").count == 1)
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
        #expect(!service.metrics.text.contains("status=\"500\""))
    }

    @Test("O-J1: a client that leaves in the middle of a body is no error of the server", arguments: [false, true])
    func leaving(halfClosed: Bool) async throws {
        let log = RecordedLog(.info)
        let service = try await ServerFixture.open(logger: log.logger)
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.start + "Content-Length: 500\r\n\r\n{")
            if halfClosed { await client.closeOutput() } else { await client.close() }
            let status = await log.status
            #expect(status == "400")
            if halfClosed { #expect(await client.untilClosed().hasPrefix("HTTP/1.1 400 ")) }
        }
        #expect(log.highestLevel < .warning)
        #expect(!service.metrics.text.contains("status=\"5"))
    }

    private static let lastRequests: [String] = [
        "\(start)Content-Length: 70000\r\n\r\n\(String(repeating: "x", count: 70_000))",
        "\(line)Content-Type: text/plain\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
        "\(line)Connection: x, Close\r\nContent-Length: 1\r\n\r\nx",
    ]

    @Test(
        "O-J2: after an answer that says close no pipelined request is answered",
        arguments: FramingTests.lastRequests)
    func pipelinedAfterClose(request: String) async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(request + Self.facets)
            let answers = await client.untilClosed()
            #expect(answers.ranges(of: "HTTP/1.1 ").count == 1)
            #expect(!answers.contains("trustedFacets"))
        }
    }

    @Test(
        "O-J2: other pipelined requests are answered in their order, also when the client says that they are all",
        arguments: [false, true])
    func pipelined(halfClosed: Bool) async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            let nothing = "GET /nope HTTP/1.1\r\nHost: a\r\n\r\n"
            await client.send(Self.facets + nothing + String(repeating: Self.facets, count: 20))
            if halfClosed { await client.closeOutput() }
            let answers = await client.until("trustedFacets", count: 21)
            let statuses = answers.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            let expected: [Substring] = ["200", "404"] + Array(repeating: "200", count: 20)
            #expect(statuses == expected)
            await client.close()
        }
    }

    @Test("O-J1: a pipelined request that the client leaves incomplete is refused after the answer before it")
    func pipelinedIncomplete() async throws {
        let service = try await ServerFixture.open()
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.facets + Self.facets + Self.start + "Content-Length: 500\r\n\r\n{")
            await client.closeOutput()
            let statuses = await client.untilClosed().split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            #expect(statuses == ["200", "200", "400"])
        }
    }
}
