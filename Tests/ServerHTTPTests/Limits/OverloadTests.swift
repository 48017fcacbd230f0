import LoadControl
import Logging
import ServerCore
import ServerPersistence
import Synchronization
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Overload: a server far over its capacity, over real sockets", .timeLimit(.minutes(10)))
struct OverloadTests {
    @Test("Over its capacity the server refuses at once, serves those it has let in, and keeps every one of them")
    func overCapacity() async throws {
        let stage = try await OverloadStage.open { $0.inFlight = 4 }
        try await stage.server.live { port in
            await stage.holdCommits()
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<20 {
                    group.addTask { try await OverloadStage.begin(port, from: "127.0.0.\(2 + number % 5)") }
                }
                var refused: [String] = []
                while refused.count < 16, let answer = try await group.next() { refused.append(answer) }
                // The commit stands still: a client that has an answer by now has waited for nothing.
                for answer in refused {
                    #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
                    #expect(answer.lowercased().contains(/\r\nretry-after: [1-5]\r\n/))
                    #expect(answer.contains(#""code":"overloaded""#) && answer.contains("application/json"))
                    // In one piece: chunks would be four further records of TLS.
                    #expect(!answer.lowercased().contains("transfer-encoding"), "\(answer)")
                }
                stage.releaseCommits()
                var served: [String] = []
                for try await answer in group { served.append(answer) }
                #expect(served.count == 4 && served.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") }, "\(served)")
                #expect(try await stage.begun() == Set(served.compactMap(OverloadStage.session)))
            }
            #expect(try await OverloadStage.begin(port).hasPrefix("HTTP/1.1 200 "), "it has recovered")
        }
        #expect(stage.metrics.contains(#"signet_queue_shed_total{queue="requests",reason="full"} 16"#))
        #expect(stage.metrics.contains(#"signet_queue_depth{queue="requests"} 0"#))
    }

    @Test(
        "Thousands of requests that one client has sent ahead are refused one after the other, and the next client is served"
    )
    func refusedAhead() async throws {
        let count = 5_000
        let stage = try await OverloadStage.open { $0.inFlight = 1 }
        try await stage.server.live { port in
            await stage.holdCommits()
            async let served = OverloadStage.begin(port)
            try await stage.untilMetrics(#"signet_queue_depth{queue="requests"} 1"#)
            let client = try await RawConnection.open(port: port, from: "127.0.0.9")
            let request =
                "POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
            client.sendWithoutWaiting(String(repeating: request, count: count))
            let answers = await client.until("HTTP/1.1 ", count: count)
            #expect(answers.ranges(of: "HTTP/1.1 503 ").count > 100)
            #expect(answers.ranges(of: "HTTP/1.1 200 ").isEmpty)
            await client.close()
            stage.releaseCommits()
            #expect(try await served.hasPrefix("HTTP/1.1 200 "))
            #expect(try await OverloadStage.begin(port).hasPrefix("HTTP/1.1 200 "))
        }
        #expect(stage.metrics.contains(#"signet_queue_depth{queue="requests"} 0"#))
    }

    @Test("A request that is refused before its service is asked gives back the place that it got at its arrival")
    func givenBack() async throws {
        let stage = try await OverloadStage.open { $0.inFlight = 1 }
        try await stage.server.live { port in
            for request in [
                "POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
                "POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n",
            ] {
                let client = try await RawConnection.open(port: port)
                await client.send(request)
                #expect(await client.until("}").hasPrefix("HTTP/1.1 4"))
                await client.close()
            }
            #expect(try await OverloadStage.begin(port).hasPrefix("HTTP/1.1 200 "))
        }
        #expect(stage.metrics.contains(#"signet_queue_depth{queue="requests"} 0"#))
    }

    @Test("The log tells once that a queue refuses, and no line for each request")
    func log() async throws {
        let log = RecordedLog(.info)
        let stage = try await OverloadStage.open(log) { $0.inFlight = 1 }
        try await stage.server.live { port in
            await stage.holdCommits()
            async let served = OverloadStage.begin(port)
            try await stage.untilMetrics(#"signet_queue_depth{queue="requests"} 1"#)
            for _ in 0..<12 { _ = try await OverloadStage.begin(port) }
            stage.releaseCommits()
            _ = try await served
        }
        #expect(log.entries.filter { $0.message == "overloaded: refusing" }.count == 1)
        #expect(log.requests.allSatisfy { $0.metadata["status"] != "503" })
        #expect(log.highestLevel == .warning)
    }

    @Test("Who waits for a commit until the deadline gets 503 while it still runs, and is never executed")
    func deadline() async throws {
        let stage = try await OverloadStage.open {
            $0.inFlight = 8
            $0.answerTime = .seconds(8)
        }
        try await stage.server.live { port in
            await stage.holdCommits()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 { group.addTask { try await OverloadStage.begin(port) } }
                for _ in 0..<3 { #expect(try await group.next()?.hasPrefix("HTTP/1.1 503 ") == true) }
                stage.releaseCommits()
                let served = try #require(try await group.next())
                #expect(served.hasPrefix("HTTP/1.1 200 "), "what runs is finished, however late: \(served)")
                #expect(try await stage.begun() == Set([OverloadStage.session(in: served)].compactMap(\.self)))
            }
        }
        #expect(stage.metrics.contains(#"signet_queue_shed_total{queue="commits",reason="deadline"} 3"#))
    }

    @Test("A client that closes its side while it waits for a commit is taken out of the queue")
    func departure() async throws {
        let stage = try await OverloadStage.open { $0.inFlight = 8 }
        try await stage.server.live { port in
            await stage.holdCommits()
            async let served = OverloadStage.begin(port)
            await stage.reachedCommit()
            let leaving = try await RawConnection.open(port: port)
            await leaving.send(OverloadStage.request)
            try await stage.untilMetrics(#"signet_queue_depth{queue="commits"} 1"#)
            await leaving.closeOutput()
            #expect(await leaving.untilClosed().hasPrefix("HTTP/1.1 503 "))
            stage.releaseCommits()
            #expect(try await stage.begun(after: served).count == 1)
        }
        #expect(stage.metrics.contains(#"signet_queue_shed_total{queue="commits",reason="abandoned"} 1"#))
    }

    @Test("A client that comes back before its time is refused where another one is let in")
    func impatience() async throws {
        let stage = try await OverloadStage.open { $0.inFlight = 10 }
        try await stage.server.live { port in
            await stage.holdCommits()
            let first = try await OverloadStage.fill(8, port)
            try await stage.untilMetrics(#"signet_queue_depth{queue="requests"} 8"#)
            let impatient = try await RawConnection.open(port: port)
            await impatient.send(OverloadStage.persistent)
            #expect(await impatient.until("traceId").hasPrefix("HTTP/1.1 503 "))
            try await stage.untilMetrics(#"signet_queue_depth{queue="commits"} 7"#)
            for client in first.dropFirst(4) { await client.closeOutput() }
            try await stage.untilMetrics(#"signet_queue_depth{queue="requests"} [345]"#)
            await impatient.send(OverloadStage.persistent)
            let answers = await impatient.until("traceId", count: 2)
            #expect(answers.ranges(of: "HTTP/1.1 503 ").count == 2)
            async let patient = OverloadStage.begin(port)
            stage.releaseCommits()
            #expect(try await patient.hasPrefix("HTTP/1.1 200 "))
            await impatient.close()
        }
    }

    @Test("Bodies that are on their way hold no place, and need one when they have arrived")
    func slowBodies() async throws {
        let stage = try await OverloadStage.open { $0.inFlight = 1 }
        try await stage.server.live { port in
            let slow = try await RawConnection.open(port: port, from: "127.0.0.2")
            await slow.send(OverloadStage.head)
            try await stage.untilMetrics(#"signet_queue_wait_seconds_count{queue="requests"} 1"#)
            var answer = ""
            // The slow one gives its place up a moment after it was let in.
            for _ in 0..<100 where !answer.hasPrefix("HTTP/1.1 200 ") { answer = try await OverloadStage.begin(port) }
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "the slow one keeps everybody out: \(answer)")
            await stage.holdCommits()
            async let served = OverloadStage.begin(port)
            try await stage.untilMetrics(#"signet_queue_depth{queue="requests"} 1"#)
            await slow.send(OverloadStage.body)
            let refused = await slow.untilClosed()
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains(#""code":"overloaded""#), "\(refused)")
            stage.releaseCommits()
            #expect(try await stage.begun(after: served).count == 2)
            let patient = try await RawConnection.open(port: port, from: "127.0.0.2")
            await patient.send(OverloadStage.head)
            try await stage.untilMetrics(#"signet_queue_wait_seconds_count{queue="requests"} 4"#)
            await patient.send(OverloadStage.body)
            #expect(await patient.untilClosed().hasPrefix("HTTP/1.1 200 "))
        }
        #expect(stage.metrics.contains(#"signet_queue_depth{queue="requests"} 0"#))
    }

    @Test("Under load documents are served, and the management listener serves everything")
    func neverShed() async throws {
        let stage = try await OverloadStage.open { $0.inFlight = 1 }
        try await stage.server.live { port in
            await stage.holdCommits()
            async let served = OverloadStage.begin(port)
            try await stage.untilMetrics(#"signet_queue_depth{queue="requests"} 1"#)
            #expect(try await OverloadStage.begin(port).hasPrefix("HTTP/1.1 503 "))
            let client = try await RawConnection.open(port: port)
            await client.send("GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await client.untilClosed().hasPrefix("HTTP/1.1 200 "))
            stage.releaseCommits()
            _ = try await served
        }
        let routing = HTTPRouting(limits: RequestLimits(), metrics: MetricsRegistry(), now: { 0 })
        _ = routing.responder { #expect($0.admission == nil) }
    }

    @Test("With slow commits and ten times the load, what is acknowledged is there, and what is refused is not")
    func nothingLost() async throws {
        let stage = try await OverloadStage.open {
            $0.inFlight = 2
            $0.answerTime = .milliseconds(200)
        }
        stage.server.database.set { $0.slowness = .milliseconds(20) }
        try await stage.server.live { port in
            let answers = try await withThrowingTaskGroup(of: [String].self) { group in
                for client in 0..<20 {
                    group.addTask { try await OverloadStage.begin(10, port, from: "127.0.0.\(2 + client)") }
                }
                return try await group.reduce(into: [String]()) { $0 += $1 }
            }
            let served = answers.filter { $0.hasPrefix("HTTP/1.1 200 ") }
            let refused = answers.filter { $0.hasPrefix("HTTP/1.1 503 ") }
            #expect(served.count + refused.count == 200 && !served.isEmpty && !refused.isEmpty)
            #expect(try await stage.begun() == Set(served.compactMap(OverloadStage.session)))
        }
    }
}

/// A server whose commits can be held up, with clients that begin ceremonies: each is one write.
private final class OverloadStage: Sendable {
    let server: ServerFixture
    private let isHeld = Mutex(false)
    private let isReached = Mutex(false)

    private init(_ server: ServerFixture) {
        self.server = server
    }

    /// A server with these bounds, which do not follow latencies.
    static func open(
        _ log: RecordedLog = RecordedLog(.info), _ change: (inout OverloadSettings) -> Void
    ) async throws -> OverloadStage {
        var limits = RequestLimits()
        limits.bodyTime = .seconds(120)
        limits.overload.answerTime = .seconds(120)
        change(&limits.overload)
        limits.overload.leastInFlight = limits.overload.inFlight
        return OverloadStage(
            try await ServerFixture.open(limits: limits, logger: log.logger) { $0.outOfBand.dispatchProtection = .none }
        )
    }

    // MARK: - Commits

    /// Lets the next transaction wait, and everything behind it.
    func holdCommits() async {
        isHeld.withLock { $0 = true }
        server.database.set { $0.beforeTransaction = { await self.hold() } }
    }

    private func hold() async {
        isReached.withLock { $0 = true }
        while isHeld.withLock({ $0 }) { await Self.moment() }
    }

    /// Waits until a transaction is held up.
    func reachedCommit() async {
        while !isReached.withLock({ $0 }) { await Self.moment() }
    }

    func releaseCommits() { isHeld.withLock { $0 = false } }

    /// Names of the ceremonies in the database, once `answer` has come.
    func begun(after answer: String? = nil) async throws -> Set<String> {
        let column = try await server.database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT id FROM operations", []).map { $0.values[0] }
        }
        return Set(
            column.compactMap { value in
                guard case .blob(let octets) = value else { return nil }
                return CeremonyID(octets)?.text
            })
    }

    // MARK: - Metrics

    var metrics: String { server.metrics.text }

    /// Waits for a line of the metrics that matches.
    func untilMetrics(_ pattern: String) async throws {
        let escaped = pattern.replacing("{", with: #"\{"#).replacing("}", with: #"\}"#)
        let line = try Regex(escaped)
        while !metrics.split(separator: "\n").contains(where: { $0.wholeMatch(of: line) != nil }) {
            await Self.moment()
        }
    }

    private static func moment() async { try? await Task.sleep(for: .milliseconds(2)) }

    // MARK: - Clients

    static let body = #"{"op":"Auth","context":"{}"}"#

    private static func text(_ fields: String, _ body: String = OverloadStage.body) -> String {
        """
        POST /nevisfido/token/create/authentication HTTP/1.1\r
        Host: server.example\r
        Content-Type: application/json\r
        Accept: application/json\r
        Content-Length: \(Self.body.utf8.count)\r
        \(fields)\r
        \(body)
        """
    }

    /// Begins a ceremony, on a connection that ends with the answer.
    static let request = text("Connection: close\r\n")
    /// Its head alone.
    static let head = text("Connection: close\r\n", "")
    /// The same on a connection that goes on.
    static let persistent = text("")

    /// The whole answer to a client that begins a ceremony.
    static func begin(_ port: Int, from address: String = "127.0.0.1") async throws -> String {
        let client = try await RawConnection.open(port: port, from: address)
        await client.send(request)
        return await client.untilClosed()
    }

    /// The answers to a client that begins so many ceremonies, one after the other.
    static func begin(_ count: Int, _ port: Int, from address: String) async throws -> [String] {
        var answers: [String] = []
        for _ in 0..<count { answers.append(try await begin(port, from: address)) }
        return answers
    }

    /// Clients that have asked and wait.
    static func fill(_ count: Int, _ port: Int) async throws -> [RawConnection] {
        var clients: [RawConnection] = []
        for _ in 0..<count {
            let client = try await RawConnection.open(port: port)
            await client.send(request)
            clients.append(client)
        }
        return clients
    }

    /// Name of the ceremony in an answer.
    static func session(in answer: String) -> String? {
        answer.firstMatch(of: /"sessionId":"([^"]+)"/).map { String($0.1) }
    }
}
