import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF
import UAFService

/// The six UAF services.
struct UAFRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        addFacets(to: routes)
        addRegistration(to: routes)
        addAuthentication(to: routes)
        addDeregistration(to: routes)
    }

    private func addFacets(to routes: RouteBuilder) {
        let services = shared.services
        routes.add(.facets) { exchange in
            exchange.answer(
                bytes: services.acceptance.current.facetDocument, headers: [.cacheControl: "public, max-age=300"])
        }
    }

    private func addRegistration(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.registrationRequest) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            let authorization = try await shared.authenticator.authorization(of: exchange)
            // With a login nothing is counted: neighbours who name its user keep them from no further key.
            let isProved = if case .granted = authorization { true } else { false }
            let context = isProved ? nil : try? request.context(as: RegistrationContext.self)
            try shared.countRequest(for: context?.username, exchange)
            return exchange.answer(
                request: try await shared.services.registrationRequests.issueRequest(
                    request, authorization: authorization, client: shared.client(of: exchange)))
        }
        routes.add(.registrationResponse) { exchange in
            let response = try SendUAFResponse(body: exchange.body)
            let accepted = try await shared.services.registrationResponses.acceptResponse(
                response, client: shared.client(of: exchange))
            shared.countApplication(of: exchange, accepted)
            return exchange.answer(accepted, headers: shared.headers(setting: accepted.cookie))
        }
    }

    private func addAuthentication(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.authenticationRequest) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            let authorization = try await shared.authenticator.authorization(of: exchange)
            let issued = try await shared.services.authenticationRequests.issueRequest(
                request, entry: .service, authorization: authorization, client: shared.client(of: exchange))
            return exchange.answer(request: issued.message, headers: shared.headers(binding: issued.cookie))
        }
        routes.add(.authenticationResponse) { exchange in
            try await Self.acceptAuthentication(exchange, shared)
        }
    }

    private func addDeregistration(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.deregistrationRequest) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            let authorization = try await shared.authenticator.authorization(of: exchange)
            return exchange.answer(
                request: try await shared.services.deregistration.issueRequest(
                    request, authorization: authorization, client: shared.client(of: exchange)))
        }
    }

    static func acceptAuthentication(_ exchange: Exchange, _ shared: RouteServices) async throws -> Response {
        let response = try SendUAFResponse(body: exchange.body)
        let accepted = try await shared.services.authenticationResponses.acceptResponse(
            response, client: shared.client(of: exchange))
        shared.countApplication(of: exchange, accepted)
        return exchange.answer(accepted, headers: shared.headers(setting: accepted.cookie))
    }
}
