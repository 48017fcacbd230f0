import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Metrics
import NIOCore
import ServerCore
import Synchronization
import Testing

@testable import ServerHTTP

@Suite("Management listener")
struct ManagementRoutesTests {
    @Test("Liveness answers from the start")
    func liveness() async throws {
        let answer = try await get("/nevisfido/liveness", ServerHealth())
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/vnd.spring-boot.actuator.v2+json")
        #expect(String(buffer: answer.body) == #"{"status":"UP"}"#)
    }

    @Test("Health is down before the server is ready, up afterwards, down again when it stops")
    func readiness() async throws {
        let health = ServerHealth()
        #expect(try await get("/nevisfido/health", health).status == .serviceUnavailable)
        health.setReady(true)
        let up = try await get("/nevisfido/health/", health)
        #expect(up.status == .ok)
        #expect(String(buffer: up.body) == #"{"status":"UP"}"#)
        health.setReady(false)
        let down = try await get("/nevisfido/health", health)
        #expect(down.status == .serviceUnavailable)
        #expect(String(buffer: down.body) == #"{"status":"DOWN"}"#)
    }

    @Test("One part that is down makes the whole down; several findings stand in one part")
    func indicator() async throws {
        let isUp = Mutex(false)
        let health = ServerHealth(of: [.clock, .database]) {
            isUp.withLock { $0 }
                ? [.warning(.database, "slow"), .note(.database, "far away")] : [.down(.database, "the disk is full")]
        }
        health.setReady(true)
        let down = try await get("/nevisfido/health", health)
        #expect(down.status == .serviceUnavailable)
        let parts = #""clock":{"status":"UP"},"database":{"status":"DOWN","details":{"reason":"the disk is full"}}"#
        #expect(String(buffer: down.body) == #"{"status":"DOWN","components":{"# + parts + "}}")
        isUp.withLock { $0 = true }
        let up = try await get("/nevisfido/health", health)
        #expect(up.status == .ok)
        #expect(String(buffer: up.body).contains(#""database":{"status":"UP","details":{"warning":"slow; far away"}}"#))
    }

    @Test("Metrics are text for Prometheus")
    func metrics() async throws {
        let registry = MetricsRegistry()
        Counter(label: "c", dimensions: [], factory: registry).increment()
        let answer = try await get("/metrics", ServerHealth(), registry)
        #expect(answer.headers[.contentType]?.hasPrefix("text/plain") == true)
        #expect(String(buffer: answer.body).contains("c 1\n"))
    }

    @Test("Another method is refused with Allow, another path is unknown")
    func refusals() async throws {
        try await application(ServerHealth()).test(.router) { client in
            let wrongMethod = try await client.execute(uri: "/metrics", method: .post)
            #expect(wrongMethod.status == .methodNotAllowed)
            #expect(wrongMethod.headers[.allow] == "GET, HEAD")
            #expect(try await client.execute(uri: "/nevisfido", method: .get).status == .notFound)
        }
    }

    @Test("An error body has the trace that the client names, or one of its own")
    func trace() async throws {
        let given = "0af7651916cd43dd8448eb211c80319c"
        let name = try #require(HTTPField.Name("traceparent"))
        try await application(ServerHealth()).test(.router) { client in
            let named = try await client.execute(
                uri: "/x", method: .get, headers: [name: "00-\(given)-b7ad6b7169203331-01"])
            #expect(try named.text("traceId") == given)
            let own = try await client.execute(uri: "/x", method: .get).text("traceId")
            #expect(own.wholeMatch(of: /[0-9a-f]{32}/) != nil && own != given)
        }
    }

    private func get(
        _ path: String, _ health: ServerHealth, _ metrics: MetricsRegistry = MetricsRegistry()
    ) async throws -> TestResponse {
        try await application(health, metrics).test(.router) { try await $0.execute(uri: path, method: .get) }
    }

    private func application(
        _ health: ServerHealth, _ metrics: MetricsRegistry = MetricsRegistry()
    ) -> some ApplicationProtocol {
        let routing = HTTPRouting(limits: RequestLimits(), metrics: metrics, now: { 0 })
        return Application(responder: routing.managementResponder(health: health))
    }
}
