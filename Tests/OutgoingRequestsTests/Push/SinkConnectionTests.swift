import PushSink
import ServerCore
import Testing

/// The sink has the listener of the server; these are its own answers to what is no request.
@Suite("The push sink: requests that cannot be read", .timeLimit(.minutes(10)))
struct SinkConnectionTests {
    private static let next = "POST /sink/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"

    private static let refused: [(request: String, status: String, reason: String)] = [
        ("POST /token HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n", "400", "A header field"),
        ("POST /token HTTP/1.1\r\n\r\n", "400", "one host"),
        ("G:T /token HTTP/1.1\r\nHost: a\r\n\r\n", "400", "request line"),
        ("POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "400", "has to be chunked"),
        ("POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501", "only transfer coding"),
        ("POST /token HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 20_000))\r\n\r\n", "431", "too large"),
    ]

    @Test(
        "O-J1: the push sink refuses a head that cannot be read, in words, and ends the connection",
        arguments: SinkConnectionTests.refused)
    func malformed(request: String, status: String, reason: String) async throws {
        try await SinkStage.run { stage in
            let answer = try await stage.answer(toOctets: request + Self.next)
            expect(answer, status, reason)
        }
    }

    @Test(
        "S-H3: the push sink answers a head that the deadline cuts with 408, and ends the connection",
        arguments: ["P", "POST /token HTTP/1.1\r\nHost: a\r\nX: "])
    func slowHead(request: String) async throws {
        var limits = PushSink.limits
        limits.bodyTime = .milliseconds(300)
        try await SinkStage.run(limits: limits) { stage in
            expect(try await stage.answer(toOctets: request), "408", "header fields took too long")
        }
    }

    @Test("S-H3: the push sink closes a connection on which no request begins without a word")
    func idle() async throws {
        var limits = PushSink.limits
        limits.idleTime = .milliseconds(300)
        try await SinkStage.run(limits: limits) { stage in
            let answer = try await stage.answer(toOctets: "\r\n")
            #expect(answer.isEmpty)
        }
    }

    private func expect(_ answer: String, _ status: String, _ reason: String) {
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(300))")
        #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "nothing behind it is answered")
        #expect(answer.lowercased().contains("connection: close\r\n"))
        #expect(answer.lowercased().contains("content-type: text/plain"))
        #expect(answer.contains(reason))
    }
}
