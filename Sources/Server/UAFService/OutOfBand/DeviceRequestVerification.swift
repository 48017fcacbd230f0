import BackendAPI
import JOSE
import Octets
import ServerCore

/// Verification of what a device has signed: by the key that the target has, never by one that the request brings.
struct DeviceRequestVerification: Sendable {
    /// A request that holds, and has not taken effect yet.
    struct Verified<Payload: MessageBody> {
        let payload: Payload
        let owner: OwnedTarget
        let request: SignedRequest
    }

    /// The service that was called, and what its path names.
    struct Addressee {
        let endpoint: Endpoint
        var name: String?
        /// Whether the request may leave out whom it is for; set by a compatibility switch, never where it deletes.
        var mayBeUnnamed = false

        func addresses(at origin: String) -> [String] {
            endpoint.roots.map { origin + $0 + (name.map(endpoint.path(naming:)) ?? endpoint.path) }
        }
    }

    let settings: OutOfBandSettings
    let targets: any DispatchTargetRepository
    /// Clock of the time of day, which devices state.
    let wall: any WallClock
    /// Clock of the time in which requests are remembered.
    let clock: any WallClock

    /// Judges signature, addressee and time, in this order: only the owner of the key learns of a wrong clock.
    ///
    /// Throws ``ServerError/malformedRequest``, ``ServerError/signatureInvalid`` (also for an unknown target, so that
    /// clients cannot find out which targets exist) or ``ServerError/clockSkewTooBig``.
    func verified<Payload: MessageBody>(
        _ token: String, as type: Payload.Type, for addressee: Addressee, claims: (Payload) -> DeviceClaims
    ) async throws(ServerError) -> Verified<Payload> {
        guard let jws = try? CompactJWS(parsing: token), let payload = try? Payload(body: jws.unverifiedPayload) else {
            throw .malformedRequest
        }
        let claims = claims(payload)
        guard let id = DispatchTargetID(text: claims.dispatchTargetID), let owner = try await targets.target(id),
            (try? jws.verified(byDevice: owner.target.signatureKey)) != nil
        else { throw .signatureInvalid }
        try require(claims, for: addressee)
        return Verified(payload: payload, owner: owner, request: try signedRequest(claims, owner.target))
    }

    /// Throws ``ServerError/signatureInvalid`` unless the claims name the service.
    private func require(_ claims: DeviceClaims, for addressee: Addressee) throws(ServerError) {
        if claims.audience == nil && claims.method == nil && addressee.mayBeUnnamed && !settings.requiresAudience {
            return
        }
        guard let audience = claims.audience, claims.method == addressee.endpoint.method,
            addressee.addresses(at: settings.origin).contains(where: { $0.hasSameOctets(as: audience) })
        else { throw .signatureInvalid }
    }

    private func signedRequest(_ claims: DeviceClaims, _ target: DispatchTarget) throws(ServerError) -> SignedRequest {
        let made = Timestamp(milliseconds: claims.creationTime)
        let now = wall.now()
        guard made <= now + settings.clockLead, now <= made + settings.requestAge else { throw .clockSkewTooBig }
        return SignedRequest(
            targetID: target.id, signatureKey: target.signatureKey.thumbprint, requestID: claims.requestID,
            // The latest that a request made `clockLead` ahead of us would be accepted.
            rememberedUntil: clock.now() + settings.requestAge + settings.clockLead + settings.clockLead)
    }
}

extension CompactJWS {
    /// The token, verified with the key of a device; its `kid` names the target and decides nothing.
    func verified(byDevice key: DeviceKey) throws(JOSEError) -> VerifiedJWS {
        // Without the identifier of the key: devices put the target's there.
        try verified(by: try JWK(verifying: key.jwk.material))
    }
}
