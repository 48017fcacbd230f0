import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF

/// The six UAF services.
struct UAFRoutes {
    let door: ServiceDoor

    func add(to routes: RouteBuilder) {
        addFacets(to: routes)
        addRegistration(to: routes)
        addAuthentication(to: routes)
        addDeregistration(to: routes)
    }

    private func addFacets(to routes: RouteBuilder) {
        let services = door.services
        routes.add(.facets) { exchange in
            exchange.answer(
                bytes: services.acceptance.current.facetDocument, headers: [.cacheControl: "public, max-age=300"])
        }
    }

    private func addRegistration(to routes: RouteBuilder) {
        let door = door
        routes.add(.registrationRequest) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            try door.countRequest(for: (try? request.context(as: RegistrationContext.self))?.username, exchange)
            let authorization = try await door.authorization(of: exchange)
            return exchange.answer(
                request: try await door.services.registration.issueRequest(
                    request, authorization: authorization, client: door.client(of: exchange)))
        }
        routes.add(.registrationResponse) { exchange in
            let response = try SendUAFResponse(body: exchange.body)
            let accepted = await door.services.registration.acceptResponse(
                response, client: door.client(of: exchange))
            if let refusal = accepted.refusal { throw refusal }
            return exchange.answer(accepted, headers: door.headers(setting: accepted.cookie))
        }
    }

    private func addAuthentication(to routes: RouteBuilder) {
        let door = door
        routes.add(.authenticationRequest) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            try door.countRequest(for: (try? request.context(as: AuthenticationContext.self))?.username, exchange)
            let authorization = try await door.authorization(of: exchange)
            let issued = try await door.services.authentication.issueRequest(
                request, entry: .service, authorization: authorization, client: door.client(of: exchange))
            return exchange.answer(request: issued.message, headers: door.headers(binding: issued.cookie))
        }
        routes.add(.authenticationResponse) { exchange in
            try await Self.acceptAuthentication(exchange, door)
        }
    }

    private func addDeregistration(to routes: RouteBuilder) {
        let door = door
        routes.add(.deregistrationRequest) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            let authorization = try await door.authorization(of: exchange)
            return exchange.answer(
                request: try await door.services.deregistration.issueRequest(
                    request, authorization: authorization, client: door.client(of: exchange)))
        }
    }

    /// Judges an authentication response, whichever route it comes by.
    static func acceptAuthentication(_ exchange: Exchange, _ door: ServiceDoor) async throws -> Response {
        let response = try SendUAFResponse(body: exchange.body)
        let accepted = await door.services.authentication.acceptResponse(
            response, client: door.client(of: exchange))
        if let refusal = accepted.refusal { throw refusal }
        return exchange.answer(accepted, headers: door.headers(setting: accepted.cookie))
    }
}
