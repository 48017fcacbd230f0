import BackendAPI
import Hummingbird

/// The routes of the management listener: liveness, health, metrics.
struct ManagementRoutes {
    let health: ServerHealth
    let metrics: MetricsRegistry

    func add(to routes: RouteBuilder) {
        let health = health
        let metrics = metrics
        routes.add(.liveness) { exchange in
            exchange.answer(HealthBody(isUp: true))
        }
        routes.add(.health) { exchange in
            let body = await health.report
            return exchange.answer(bytes: body.body, status: .init(code: body.httpStatus))
        }
        routes.add(.metrics) { exchange in
            exchange.answer(bytes: Array(metrics.text.utf8))
        }
    }
}
