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

    /// Writes down how many refusals of the past have no record of their own.
    func recordOmittedRefusals() async throws(ServerError) {
        let now = ports.clock.now()
        guard let summary = refusals.summary(at: now) else { return }
        var event = AuditEvent(.requestReplayed, at: now)
        event.reason = "\(summary.refusals) more from \(summary.sources) sources without a record"
        try await storage.audit.append(event)
    }

    /// A record that cannot be written changes nothing: the request is refused all the same.
    private func record(_ reason: String, of token: String, from client: ClientContext) async {
        let now = ports.clock.now()
        do throws(ServerError) {
            try await recordOmittedRefusals()
            var event = AuditEvent(.requestReplayed, at: now, client: client)
            event.reason = reason
            var source = DeviceRefusals.Source.address(client.network)
            if let jws = try? CompactJWS(parsing: token), let owner = try await self.named(by: jws) {
                event.userID = owner.user.id
                event.username = owner.user.name
                event.targetID = owner.target.id
                let isSigned = (try? jws.verified(byDevice: owner.target.signatureKey)) != nil
                if isSigned { source = .device(owner.target.id) }
            }
            guard refusals.takesPlace(for: source, at: now) else { return }
            try await storage.audit.append(event)
        } catch {
            ports.logger.error("refusal not recorded", metadata: ["error": "\(error)"])
        }
    }

    /// The target that a token says it is of; whether that is true is not known.
    private func named(by jws: CompactJWS) async throws(ServerError) -> OwnedTarget? {
        guard let request = try? DeviceRequest(body: jws.unverifiedPayload),
            let id = DispatchTargetID(text: request.claims.dispatchTargetID)
        else { return nil }
        return try await storage.targets.target(id)
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
