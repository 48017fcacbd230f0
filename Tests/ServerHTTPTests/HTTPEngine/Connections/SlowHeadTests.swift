import Hummingbird
import HummingbirdTesting
import Logging
import ServerCore
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Connections: heads that never end, and clients that say nothing or do not read", .timeLimit(.minutes(10)))
struct SlowHeadTests {
    private static let facets = "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Nothing but what the test is about ends a connection.
    private static func patient(_ change: (inout RequestLimits) -> Void) -> RequestLimits {
        var limits = RequestLimits()
        limits.idleTime = .seconds(600)
        limits.bodyTime = .seconds(600)
        change(&limits)
        return limits
    }

    @Test(
        "S-H3: a head that the deadline cuts gets 408 with the error body, a metric, a log line and the end",
        arguments: ["G", "POST /nope HTTP/1.1\r\nHo", "\r\nGET / HTTP/1.1\r\nHost: a\r\nX: "], ["", facets])
    func cut(head: String, before: String) async throws {
        let log = RecordedLog(.info)
        let limits = Self.patient { $0.bodyTime = .milliseconds(300) }
        let service = try await ServerFixture.open(limits: limits, logger: log.logger)
        try await service.live { port in
            let client = try await RawConnection.open(port: port, from: "127.0.0.9")
            await client.send(before)
            if !before.isEmpty { _ = await client.until("trustedFacets") }
            await client.send(head)
            let answers = await client.untilClosed()
            #expect(answers.ranges(of: "HTTP/1.1 ").count == (before.isEmpty ? 1 : 2))
            let place = try #require(answers.ranges(of: "HTTP/1.1 408 ").first)
            let last = answers[place.lowerBound...]
            #expect(last.lowercased().contains("connection: close\r\n"))
            #expect(last.lowercased().contains("content-type: application/json"))
            #expect(last.contains(#""code":"requestTimeout""#) && last.contains("header fields took too long"))
        }
        #expect(service.metrics.text.contains(#"signet_http_requests_total{endpoint="unknown",status="408"} 1"#))
        #expect(log.requests.count == 1 && log.requests.first?.level == .info)
        #expect(log.requests.first?.metadata["status"] == "408")
        #expect(log.requests.first?.metadata["client"] == "127.0.0.9")
    }

    @Test("S-H3, S-H6: heads that are cut have ten log lines for an address; all are in the metrics")
    func bounded() async throws {
        let log = RecordedLog(.info)
        let limits = Self.patient { $0.bodyTime = .milliseconds(100) }
        let service = try await ServerFixture.open(limits: limits, logger: log.logger)
        let count = RefusalCounter.shownLimit + 2
        try await service.live { port in
            for _ in 0..<count {
                let client = try await RawConnection.open(port: port)
                await client.send("GET")
                #expect(await client.untilClosed().hasPrefix("HTTP/1.1 408 "))
            }
        }
        #expect(log.requests.count == RefusalCounter.shownLimit)
        #expect(
            service.metrics.text.contains(#"signet_http_requests_total{endpoint="unknown",status="408"} \#(count)"#))
    }

    @Test(
        "S-H3: a connection on which no request begins is closed without a word, also after one or an empty line",
        arguments: ["", "\r\n", facets, facets + "\r\n"])
    func silent(before: String) async throws {
        let log = RecordedLog(.info)
        let limits = Self.patient { $0.idleTime = .milliseconds(300) }
        let service = try await ServerFixture.open(limits: limits, logger: log.logger)
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(before)
            let answers = await client.untilClosed()
            // On a slow machine the time may be over before the request is there; it is never a refusal.
            #expect(answers.isEmpty || before.hasPrefix("GET") && answers.hasPrefix("HTTP/1.1 200 "))
            #expect(answers.ranges(of: "HTTP/1.1 ").count <= 1)
        }
        #expect(log.requests.isEmpty && !service.metrics.text.contains(#"status="408""#))
    }

    @Test("S-H3: empty lines before a request put the end of a connection off no longer than silence does")
    func emptyLines() async throws {
        let service = try await ServerFixture.open(limits: Self.patient { $0.idleTime = .milliseconds(300) })
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            client.trickle("\r\n")
            #expect(await client.untilClosed().isEmpty)
        }
    }

    @Test("S-H3: a head that has begun has its whole time, though the connection was idle before")
    func lateStart() async throws {
        var answer = ""
        // On a slow machine the idle time may be over before the head is there, which is no refusal: then it gets longer.
        for seconds in [1, 4, 16] where answer.isEmpty {
            let limits = Self.patient {
                $0.idleTime = .seconds(seconds)
                $0.bodyTime = .seconds(4 * seconds)
            }
            let service = try await ServerFixture.open(limits: limits)
            answer = try await service.live { port in
                let client = try await RawConnection.open(port: port)
                await client.send("GET / HTTP/1.1\r\nX: ")
                client.trickle("y")
                return await client.untilClosed()
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "the idle time has no say any more")
    }

    @Test(
        "S-H3: the management port answers a head that the deadline cuts with 408, and one that cannot be read with 400"
    )
    func management() async throws {
        let limits = Self.patient { $0.bodyTime = .milliseconds(300) }
        let routing = HTTPRouting(limits: limits, metrics: MetricsRegistry(), now: { 0 })
        let application = try HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: limits, logger: RecordedLog(.info).logger
        ).application(
            responder: routing.managementResponder(health: ServerHealth()), identity: nil,
            started: { _ in })
        try await application.test(.ahc()) { server in
            let port = try #require(server.port)
            for (head, status) in [("GET /metrics HTTP/1.1\r\nHo", "408"), ("GET /metrics HTTP/1.1\r\n\r\n", "400")] {
                let client = try await RawConnection.open(port: port)
                await client.send(head)
                let answer = await client.untilClosed()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(300))")
                #expect(answer.lowercased().contains("connection: close\r\n"))
                #expect(answer.lowercased().contains("content-type: application/json"))
            }
        }
    }

    @Test("S-H3: a client that asks and asks and never reads an answer does not keep its connection")
    func deaf() async throws {
        let limits = Self.patient {
            $0.idleTime = .milliseconds(500)
            $0.connectionCountPerAddress = 1
        }
        let service = try await ServerFixture.open(limits: limits)
        try await service.live { port in
            let deaf = try await RawConnection.open(port: port, from: "127.0.0.2", isDeaf: true)
            deaf.sendWithoutWaiting(String(repeating: Self.facets, count: 8_000))
            // The address has one connection; the next one is served as soon as that is closed.
            var isServed = false
            while !isServed {
                let next = try await RawConnection.open(port: port, from: "127.0.0.2")
                await next.send(Self.facets)
                isServed = await next.until("\r\n").hasPrefix("HTTP/1.1 ")
                await next.close()
                if !isServed { try await Task.sleep(for: .milliseconds(50)) }
            }
            await deaf.close()
        }
    }
}
