import BackendAPI
package import ServerCore
import UAF
package import UAFService

/// Registrations of phones that a system with an access key, or an administrator, begins for a user: a link and QR code for the user's screen.
package struct Enrollments: Sendable {
    private let outOfBand: OutOfBandService
    private let settings: OutOfBandSettings
    private let clock: any WallClock

    package init(_ services: ServerServices) {
        outOfBand = services.outOfBand
        settings = services.settings.outOfBand
        clock = services.ports.clock
    }

    /// Begins a registration; one of the same `session` of the initiator makes room for it.
    ///
    /// Throws ``ServerError/malformedRequest`` for an unknown policy, ``ServerError/policyViolation`` for a user who is
    /// locked, ``ServerError/dispatcherUnknown`` where no link can be made, ``ServerError/tooManyOperations(retryAfter:)``,
    /// ``ServerError/overloaded(retryAfter:)`` and ``ServerError/storageUnavailable``.
    package func begin(
        _ user: User, policy: String?, by authorization: InitiatorAuthorization, client: ClientContext,
        session: String? = nil
    ) async throws(ServerError) -> BegunConfirmation {
        let request = DispatchRequest(
            GetUAFRequest(RegistrationContext(username: user.name, policy: policy)),
            dispatcher: try outOfBand.linkDispatcher, initiatorSession: session)
        let expiresAt = clock.now() + settings.tokenLifetime(.registration)
        let answer = try await outOfBand.dispatch(
            request, for: .registration, authorization: authorization, client: client)
        guard let id = answer.sessionID.flatMap({ CeremonyID(text: $0) }) else { throw .policyViolation }
        return BegunConfirmation(
            id: id, link: try answer.dispatcherInformation?.linkForPhone(), digits: answer.channelLinking,
            expiresAt: expiresAt)
    }
}
