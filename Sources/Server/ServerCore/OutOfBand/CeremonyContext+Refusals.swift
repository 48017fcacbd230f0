import BackendAPI
import JOSE
import Logging

extension CeremonyContext {
    /// Does what a device asks for with its signature, and counts its refusal.
    ///
    /// A failure after the verification has its record already, in the transaction of the effect.
    func countingRefusals<Value>(
        of token: String, from client: ClientContext, _ body: () async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            if error == .requestReplayed {
                // Whoever has a copy can send it without end.
                countUnsigned("device request: replayed", from: client)
            } else if let reason = error.refusedSignature {
                await count(reason, of: token, from: client)
            }
            throw error
        }
    }

    /// Counts a refusal; what a known key has signed has a record, too, while it is among the first of its device.
    ///
    /// A record that cannot be written changes nothing: the request is refused all the same.
    private func count(_ reason: String, of token: String, from client: ClientContext) async {
        do throws(ServerError) {
            guard let signer = try await signer(of: token) else { return countUnsigned(reason, from: client) }
            let now = ports.clock.now()
            guard refusalCounter.count(reason, from: .device(signer.target.id), at: now) else { return }
            var event = AuditEvent(.deviceRequestRefused, at: now, userID: signer.user.id, client: client)
            event.username = signer.user.name
            event.targetID = signer.target.id
            event.reason = reason
            tell(event)
            try await storage.audit.append(event)
        } catch {
            ports.logger.error("refusal not recorded", metadata: ["error": "\(error)"])
        }
    }

    /// The target whose key has signed a token, with its user; nil when no known key has.
    private func signer(of token: String) async throws(ServerError) -> OwnedTarget? {
        guard let jws = try? CompactJWS(parsing: token),
            let request = try? DeviceRequest(body: jws.unverifiedPayload),
            let id = DispatchTargetID(text: request.claims.dispatchTargetID),
            let owner = try await storage.targets.target(id),
            (try? jws.verified(byDevice: owner.target.signatureKey)) != nil
        else { return nil }
        return owner
    }
}

extension ServerError {
    /// The reason of a signed request that is not what it claims to be, for counts and records.
    fileprivate var refusedSignature: String? {
        switch self {
        case .signatureInvalid: "device request: signatureInvalid"
        case .clockSkewTooBig: "device request: clockSkewTooBig"
        case .malformedRequest: "device request: malformed"
        case .requestReplayed, .refused, .unauthorized, .throttled, .overloaded, .storageUnavailable, .signingFailed,
            .sealingFailed, .notConfigured, .userExists, .userUnknown, .credentialUnknown, .targetUnknown,
            .targetNameInUse, .tooManyTargets, .dispatcherUnknown, .forbidden, .tooManyOperations, .quietHours,
            .policyViolation, .invalidName, .invalidPassword, .wrongMasterKey, .invalidMasterKey, .invalidMetadata,
            .invalidSetting:
            nil
        }
    }
}
