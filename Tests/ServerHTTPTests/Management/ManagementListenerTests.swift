import AsyncHTTPClient
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

/// The management listener as other machines reach it: with TLS and a token, over real sockets.
@Suite("Management listener with TLS and a token", .timeLimit(.minutes(10)))
struct ManagementListenerTests {
    private static let token = "canary-management-token-0123456789"

    private let probe: TLSProbe
    private let door = ManagementDoor(token: AccessKeyHash(of: token.utf8))

    init() throws { probe = try .ecdsa() }

    /// Runs the listener of a server whose database is down, for the length of `body`, which gets its port.
    private func listening<Result: Sendable>(
        _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let health = ServerHealth(of: [.database]) { [.down(.database, "the disk is full")] }
        health.setReady(true)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let application = try HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: RequestLimits(), logger: logger
        ).application(
            responder: HTTPRouting(limits: RequestLimits(), metrics: MetricsRegistry(), now: { 0 })
                .managementResponder(health: health, door: door),
            identity: try ServingIdentity(probe.identity), started: { _ in })
        return try await application.test(.ahc(.https)) { server in try await body(try #require(server.port)) }
    }

    private struct Answer: Equatable {
        let status: UInt
        let challenge: String?
        let text: String
    }

    private func client() throws -> HTTPClient {
        HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: HTTPClient.Configuration(tlsConfiguration: try probe.client { _ in }))
    }

    private static func get(_ client: HTTPClient, _ port: Int, _ path: String, _ fields: [String]) async throws
        -> Answer
    {
        var request = HTTPClientRequest(url: "https://localhost:\(port)\(path)")
        for field in fields { request.headers.add(name: "Authorization", value: field) }
        let response = try await client.execute(request, timeout: .minutes(5))
        let body = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: response.status.code, challenge: response.headers.first(name: "WWW-Authenticate"),
            text: String(buffer: body))
    }

    @Test("With the token everything is told")
    func admitted() async throws {
        let client = try client()
        let answers = try await listening { port in
            var answers: [Answer] = []
            for path in ["/metrics", "/nevisfido/health", "/nevisfido/liveness"] {
                answers.append(try await Self.get(client, port, path, ["Bearer \(Self.token)"]))
            }
            return answers
        }
        try await client.shutdown()
        #expect(answers.map(\.status) == [200, 503, 200])
        #expect(answers[1].text.contains("the disk is full"))
    }

    @Test("Without a token probes learn whether the server lives and is ready, and nothing more")
    func unnamed() async throws {
        let client = try client()
        let answers = try await listening { port in
            var answers: [Answer] = []
            for path in ["/nevisfido/liveness", "/nevisfido/health", "/metrics"] {
                answers.append(try await Self.get(client, port, path, []))
            }
            return answers
        }
        try await client.shutdown()
        #expect(answers[0] == Answer(status: 200, challenge: nil, text: #"{"status":"UP"}"#))
        #expect(answers[1] == Answer(status: 503, challenge: nil, text: #"{"status":"DOWN"}"#))
        #expect(answers[2].status == 401 && answers[2].challenge == #"Bearer realm="signet""#)
        #expect(!answers[2].text.contains("signet_"))
    }

    @Test(
        "Another token, half of it, more than it, another scheme and two fields are refused alike",
        arguments: [
            ["Bearer \(token)x"], ["Bearer \(token.dropLast())"], ["Bearer "], ["Basic \(token)"], [token],
            ["Bearer \(token)", "Bearer \(token)"], ["Bearer \(token.uppercased())"],
        ])
    func refused(fields: [String]) async throws {
        let client = try client()
        let answers = try await listening { port in
            var answers: [Answer] = []
            for path in ["/metrics", "/nevisfido/health"] {
                answers.append(try await Self.get(client, port, path, fields))
            }
            return answers
        }
        try await client.shutdown()
        for answer in answers {
            #expect(answer.status == 401 && answer.challenge == #"Bearer realm="signet""#)
            #expect(answer.text.contains("A valid authorization is needed.") && !answer.text.contains("canary"))
        }
    }

    @Test("The port of TLS gives plain HTTP no answer")
    func plain() async throws {
        let received = try await listening { port in
            let connection = try await RawConnection.open(port: port)
            await connection.send("GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Self.token)\r\n\r\n")
            return await connection.untilClosed()
        }
        #expect(!received.contains("HTTP/1.1") && !received.contains("signet_"))
    }

    @Test("Another token takes the place of the first at once; a listener without one gets none")
    func replaced() async throws {
        let client = try client()
        let door = door
        let statuses = try await listening { port in
            let first = try await Self.get(client, port, "/metrics", ["Bearer \(Self.token)"]).status
            #expect(door.replaceToken(with: AccessKeyHash(of: "another".utf8)))
            let old = try await Self.get(client, port, "/metrics", ["Bearer \(Self.token)"]).status
            return [first, old, try await Self.get(client, port, "/metrics", ["Bearer another"]).status]
        }
        try await client.shutdown()
        #expect(statuses == [200, 401, 200])
        #expect(!ManagementDoor().replaceToken(with: AccessKeyHash(of: "another".utf8)))
    }

    @Test("A listener outside of this machine is not opened without TLS")
    func open() throws {
        let listener = HTTPListener(
            address: ListenerAddress(host: "0.0.0.0", port: 0), limits: RequestLimits(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(throws: ServerHTTPError.plainListenerOutsideLoopback) {
            _ = try listener.application(
                responder: HTTPRouting(limits: RequestLimits(), metrics: MetricsRegistry(), now: { 0 })
                    .managementResponder(health: ServerHealth(), door: door),
                identity: nil, started: { _ in })
        }
    }
}
