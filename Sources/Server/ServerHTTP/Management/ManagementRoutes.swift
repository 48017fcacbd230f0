import BackendAPI
import Hummingbird

/// The routes of the management listener: liveness, health, metrics.
///
/// Where there is a token, requests without it still learn whether the server lives and is ready, as probes and
/// balancers ask; parts and figures need the token.
struct ManagementRoutes {
    let health: ServerHealth
    let metrics: MetricsRegistry
    let door: ManagementDoor

    func add(to routes: RouteBuilder) {
        let (health, metrics, door) = (health, metrics, door)
        routes.add(.liveness) { exchange in
            exchange.answer(HealthBody(isUp: true))
        }
        routes.add(.health) { exchange in
            let visitor = door.visitor(of: exchange.request)
            guard visitor != .refused else { throw RequestRefusal.unauthorized }
            let report = await health.report
            let body = visitor == .admitted ? report : HealthBody(isUp: report.isUp)
            return exchange.answer(bytes: body.body, status: .init(code: body.httpStatus))
        }
        routes.add(.metrics) { exchange in
            guard door.visitor(of: exchange.request) == .admitted else { throw RequestRefusal.unauthorized }
            return exchange.answer(bytes: Array(metrics.text.utf8))
        }
    }
}
