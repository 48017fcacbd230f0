import HTTPTypes
import LoadControl
import NIOCore
import NIOHTTP1
import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("Connections: requests and their answers", .timeLimit(.minutes(10)))
struct RequestRunnerTests {
    private static let question = #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#
    private static let head = """
        POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r
        Host: a\r
        Content-Type: application/fido+uaf;charset=UTF-8\r
        Accept: application/fido+uaf\r

        """
    private static let facets = "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func sized(_ count: Int) -> String { head + "Content-Length: \(count)\r\n\r\n" }

    @Test("A request is answered whether it comes whole, octet by octet, or head and body apart")
    func pieces() async throws {
        let whole = Self.sized(Self.question.utf8.count) + Self.question
        let half = Self.sized(Self.question.utf8.count)
        let ways = [
            [whole], whole.map(String.init), [half, Self.question], [half + "{", String(Self.question.dropFirst())],
        ]
        try await ServerFixture.open().live { port in
            for way in ways {
                let connection = try await RawConnection.open(port: port)
                for piece in way { await connection.send(piece) }
                #expect(await connection.until("}", count: 1).hasPrefix("HTTP/1.1 200 "))
                await connection.close()
            }
        }
    }

    @Test("A body of more octets than the limit is refused when it has arrived that far, and one of the limit is read")
    func limit() async throws {
        var limits = RequestLimits()
        limits.bodyByteCount = 100
        let start = Self.head + "Transfer-Encoding: chunked\r\n\r\n"
        try await ServerFixture.open(limits: limits).live { port in
            for (count, status) in [(100, 400), (101, 413)] {
                let connection = try await RawConnection.open(port: port)
                await connection.send(start + String(repeating: "1\r\nx\r\n", count: count) + "0\r\n\r\n")
                #expect(await connection.until("}", count: 1).hasPrefix("HTTP/1.1 \(status) "), "\(count)")
                await connection.close()
            }
        }
    }

    @Test("Of a body that goes on beyond the limit nothing more is kept than the part with which it did")
    func kept() async throws {
        let body = ArrivingBody(limit: 10)
        for _ in 0..<1_000 { body.receive(ByteBuffer(string: "abcd")) }
        body.end()
        var count = 0
        for try await part in body { count += part.readableBytes }
        #expect(count == 12)
    }

    @Test("A client that reads no answers gets none made beyond what the connection takes")
    func deaf() async throws {
        let requestCount = 40_000
        var limits = RequestLimits()
        limits.perAddress = RateLimit(perSecond: 1, burst: 1_000_000)
        let fixture = try await ServerFixture.open(limits: limits)
        try await fixture.live { port in
            let deaf = try await RawConnection.open(port: port, isDeaf: true)
            deaf.sendWithoutWaiting(String(repeating: Self.facets, count: requestCount))
            let other = try await RawConnection.open(port: port)
            var (made, before, others) = (0, -1, 0)
            // Until no more are made while others are served.
            while made != before {
                for _ in 0..<50 {
                    await other.send(Self.facets)
                    others += 1
                    _ = await other.until("HTTP/1.1 200", count: others)
                }
                (before, made) = (made, Self.answers(fixture) - others)
            }
            #expect(made < requestCount / 2)
            await deaf.close()
            await other.close()
        }
    }

    private static func answers(_ fixture: ServerFixture) -> Int {
        let lines = fixture.metrics.text.split(separator: "\n").filter {
            $0.hasPrefix("signet_http_requests_total") && $0.contains("facets")
        }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Int(Double($0) ?? 0) } }.reduce(0, +)
    }

    @Test("A client that has said that it sends nothing more gets its answer, then the end of the connection")
    func halfClosed() async throws {
        try await ServerFixture.open().live { port in
            let connection = try await RawConnection.open(port: port)
            connection.sendWithoutWaiting(Self.facets)
            await connection.closeOutput()
            let answer = await connection.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("}"))
        }
    }

    @Test("SA-16: While the server drains, an answer is the last one of its connection")
    func drain() async throws {
        let fixture = try await ServerFixture.open()
        try await fixture.live { port in
            let connection = try await RawConnection.open(port: port)
            await connection.send(Self.facets)
            #expect(!(await connection.until("}", count: 1)).lowercased().contains("connection: close"))
            fixture.load.drain()
            await connection.send(Self.facets)
            #expect(await connection.untilClosed().lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    @Test("Every answer has the date of the second in which it was made")
    func date() async throws {
        try await ServerFixture.open().live { port in
            let connection = try await RawConnection.open(port: port)
            await connection.send(Self.facets)
            let answer = await connection.until("}").lowercased()
            #expect(answer.contains(/\r\ndate: [a-z]{3}, [0-9]{2} [a-z]{3} 20[0-9]{2} [0-9:]{8} gmt\r\n/))
            await connection.close()
        }
    }

    @Test(
        "Dates have the form of RFC 9110, 5.6.7",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        ])
    func dates(second: Int, text: String) {
        #expect(DateField.text(at: second) == text)
    }

    @Test(
        "Of a target in absolute form path and query count",
        arguments: [
            ("/a?b", "/a?b"), ("http://host/a?b", "/a?b"), ("https://host", "/"), ("http://host?b", "/?b"), ("*", "*"),
            ("", ""), ("://a", "://a"), ("a b://c/d", "a b://c/d"), ("host:443", "host:443"),
        ])
    func targets(target: String, path: String) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
        #expect(HTTPRequest(head)?.path == path)
    }

    @Test("A request keeps its fields in their order; the host is the authority, and a method that is no token is none")
    func fields() throws {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        head.headers = ["Host": "a.example", "Accept": "x", "Cookie": "a=b; c=d", "accept": "y"]
        let request = try #require(HTTPRequest(head))
        #expect(request.authority == "a.example")
        #expect(request.headerFields[values: .accept] == ["x", "y"])
        #expect(request.headerFields[values: .cookie] == ["a=b; c=d"])
        #expect(request.headerFields.count == 3)
        #expect(HTTPRequest(HTTPRequestHead(version: .http1_1, method: .RAW(value: "A B"), uri: "/")) == nil)
    }
}
