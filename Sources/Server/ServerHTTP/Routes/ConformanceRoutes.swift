import BackendAPI
import Hummingbird
import ServerCore
import UAFService

/// The two routes that the FIDO conformance tool speaks to; there only when switched on.
struct ConformanceRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        guard let conformance = shared.services.conformance else { return }
        let shared = shared
        routes.add(.conformanceGet) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            return exchange.answer(request: try await conformance.get(request, client: shared.client(of: exchange)))
        }
        routes.add(.conformanceRespond) { exchange in
            let response = try SendUAFResponse(body: exchange.body)
            let accepted = try await conformance.respond(response, client: shared.client(of: exchange))
            return exchange.answer(accepted, headers: [:])
        }
    }
}
