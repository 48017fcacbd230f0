import BackendAPI
import HTTPTypes
import Hummingbird
import LoadControl
import UAF

/// Admission of requests under load: decides by the head of a request alone, before its body is read.
///
/// Further steps of ceremonies that have begun go before first ones. The documents that anybody may read cost less than
/// their refusal, and are always served.
struct RequestAdmission: Sendable {
    let load: LoadController

    /// Serves a request when it is let in, with its lifetime as the current one; without a step it always is.
    ///
    /// Throws ``RequestRefusal`` when it is refused, else what `serve` throws.
    func run(
        _ step: Admission.Step?, _ request: Request, _ context: BackendRequestContext,
        _ serve: () async throws -> Response
    ) async throws -> Response {
        let connection = ConnectionOrigin.current
        let lifetime = connection?.lifetime ?? load.lifetime()
        guard let step else {
            return try await RequestLifetime.$current.withValue(lifetime) { try await serve() }
        }
        let source = source(of: request, context, on: connection)
        switch load.admit(step, from: source, waited: lifetime.age) {
        case .refused(let seconds):
            connection?.refusedUntil = load.now + .seconds(seconds)
            throw RequestRefusal.overloaded(retryAfterSeconds: seconds)
        case .admitted(let ticket):
            lifetime.occupies(ticket)
            defer { ticket.close() }
            return try await RequestLifetime.$current.withValue(lifetime) { try await serve() }
        }
    }

    /// The sender, by address and by the credentials that it shows.
    ///
    /// Only a connection of one client tells that this client comes back too early: those of proxies and portals carry
    /// requests of many.
    private func source(
        of request: Request, _ context: BackendRequestContext, on connection: ConnectionOrigin?
    ) -> Admission.Source {
        let credentials = request.headers[.authorization] ?? request.headers[.cookie]
        let isShared = request.headers[.authorization] != nil || connection?.address != context.client
        let isEarly = connection?.refusedUntil.map { load.now < $0 } ?? false
        return Admission.Source(
            address: context.network, credentials: credentials?.hashValue, isImpatient: isEarly && !isShared)
    }
}

extension Endpoint {
    /// Place of the service in its ceremony; nil for documents, which are always served.
    var admissionStep: Admission.Step? {
        if Self.documents.contains(self) { return nil }
        return Self.furtherSteps.contains(self) ? .further : .first
    }

    private static let documents: Set<Endpoint> = [.facets, .keySet]

    /// Services that go on with what was begun, and those that end something.
    private static let furtherSteps: Set<Endpoint> = [
        .registrationResponse, .authenticationResponse, .fidoLoginResponse, .formerFIDOLoginResponse,
        .attestationProof, .redeemToken(.registration), .redeemToken(.authentication), .redeemToken(.deregistration),
        .status, .logout, .conformanceRespond,
    ]
}
