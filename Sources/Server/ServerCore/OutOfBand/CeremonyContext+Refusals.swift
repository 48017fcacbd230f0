import BackendAPI
import JOSE
import Logging

extension CeremonyContext {
    /// Does what a device asks for with its signature, and has the audit say when the signature is refused.
    ///
    /// A replay and what fails after the verification have their record already, in the transaction of the effect.
    func recordingRefusals<Value>(
        of token: String, from client: ClientContext, _ body: () async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            if let reason = error.refusedSignature { await record(reason, of: token, from: client) }
            throw error
        }
    }

    /// A record that cannot be written changes nothing: the request is refused all the same.
    private func record(_ reason: String, of token: String, from client: ClientContext) async {
        let now = ports.clock.now()
        let named = Self.namedTarget(token)
        guard let place = refusals.place(for: named, at: now) else { return }
        do throws(ServerError) {
            var event = AuditEvent(.requestReplayed, at: now, client: client)
            if let named, let owner = try await storage.targets.target(named) {
                event.userID = owner.user.id
                event.username = owner.user.name
                event.targetID = named
            }
            event.reason = place.omitted == 0 ? reason : "\(reason); \(place.omitted) before without a record"
            try await storage.audit.append(event)
        } catch {
            ports.logger.error("refusal not recorded", metadata: ["error": "\(error)"])
        }
    }

    /// The target that a token says it is of; whether that is true is not known.
    private static func namedTarget(_ token: String) -> DispatchTargetID? {
        guard let jws = try? CompactJWS(parsing: token),
            let request = try? DeviceRequest(body: jws.unverifiedPayload)
        else { return nil }
        return DispatchTargetID(text: request.claims.dispatchTargetID)
    }
}

extension ServerError {
    /// The reason in the words of the audit, when a signed request is not what it claims to be.
    fileprivate var refusedSignature: String? {
        switch self {
        case .signatureInvalid: "signatureInvalid"
        case .clockSkewTooBig: "clockSkewTooBig"
        case .malformedRequest: "malformed"
        default: nil
        }
    }
}
