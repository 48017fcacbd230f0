import Hummingbird
import Logging
import NIOCore
import ServerCore
import ServiceLifecycle
import Testing

@testable import ServerHTTP

@Suite("Connections: the end of a listener, whatever clients hold open", .timeLimit(.minutes(10)))
struct ListenerEndTests {
    private static let facets = "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let head =
        "POST /nevisfido/uaf/1.1/request/authentication HTTP/1.1\r\nHost: a\r\n"
        + "Content-Type: application/fido+uaf; charset=utf-8\r\nContent-Length: 999\r\n\r\n"
    /// Answers that a client who reads nothing asks for.
    private static let unread = 4_000

    @Test("A connection without a request is closed when the listener is told to end")
    func idle() async throws {
        try await listening(for: .seconds(600)) { port, group in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.facets)
            #expect(await client.until("trustedFacets").hasPrefix("HTTP/1.1 200 "))
            await group.triggerGracefulShutdown()
            #expect(await client.untilClosed().ranges(of: "HTTP/1.1 ").count == 1)
        }
    }

    @Test("Half a head, half a body and answers that are not read do not keep a listener up beyond its time")
    func held() async throws {
        try await listening(for: .milliseconds(300)) { port, group in
            var held: [RawConnection] = []
            for beginning in ["POST /nevisfido HTTP/1.1\r\nHo", Self.head, Self.head + "x"] {
                let client = try await RawConnection.open(port: port)
                // With the answer to a whole request before it the server has begun with this one.
                await client.send(Self.facets + beginning)
                _ = await client.until("trustedFacets")
                held.append(client)
            }
            let deaf = try await RawConnection.open(port: port, isDeaf: true)
            deaf.sendWithoutWaiting(String(repeating: Self.facets, count: Self.unread))
            await group.triggerGracefulShutdown()
            for client in held { _ = await client.untilClosed() }
            // The deaf one stays open from its side.
        }
    }

    /// Runs a listener that has `time` for its end, until `body` and the listener have ended.
    private func listening(
        for time: Duration, _ body: @Sendable (_ port: Int, _ group: ServiceGroup) async throws -> Void
    ) async throws {
        var limits = RequestLimits()
        limits.idleTime = .seconds(600)
        limits.bodyTime = .seconds(600)
        let service = try await ServerFixture.open(limits: limits)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let listener = HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: limits, logger: logger)
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = try listener.application(
            responder: service.application.responder, identity: nil, started: { port.yield($0) })
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = time
        let group = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            // A group that had to cancel its services says so.
            tasks.addTask { try? await group.run() }
            for await number in ports {
                try await body(number, group)
                break
            }
            try await tasks.waitForAll()
        }
    }
}
