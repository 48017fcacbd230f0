import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// The routes of the management listener: liveness, health, metrics.
struct ManagementRoutes {
    let health: ServerHealth
    let metrics: MetricsRegistry

    private static let actuator = "application/vnd.spring-boot.actuator.v2+json"

    func add(to routes: RouteBuilder) {
        routes.add(.get, "/nevisfido/liveness") { _, _ in
            Self.answer(.ok, JSONObject(["status": Self.word(true)]))
        }
        routes.add(.get, "/nevisfido/health") { _, _ in
            await healthAnswer()
        }
        routes.add(.get, "/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: PrometheusText.mediaType],
                body: .init(byteBuffer: ByteBuffer(string: metrics.text)))
        }
    }

    private func healthAnswer() async -> Response {
        let report = await health.report()
        let components = report.components.map { component in
            JSONObject.Member(component.name, .object(JSONObject(["status": Self.word(component.isUp)])))
        }
        return Self.answer(
            report.isUp ? .ok : .serviceUnavailable,
            JSONObject(["status": Self.word(report.isUp), "components": .object(JSONObject(distinct: components))]))
    }

    private static func word(_ isUp: Bool) -> JSONValue {
        .string(isUp ? "UP" : "DOWN")
    }

    private static func answer(_ status: HTTPResponse.Status, _ object: JSONObject) -> Response {
        Response(
            status: status, headers: [.contentType: actuator],
            body: .init(byteBuffer: ByteBuffer(bytes: JSONWriter.write(.object(object)))))
    }
}
