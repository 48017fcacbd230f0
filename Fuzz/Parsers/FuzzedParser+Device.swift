import BackendAPI
import JOSE

extension FuzzedParser {
    /// Parsers of the device services' bodies, most of which are sent signed, and of the signed requests themselves.
    static let device: [FuzzedParser] = [
        body("device-request", DeviceRequest.self),
        body("device-change", DeviceChange.self),
        body("device-credentials", DeviceCredentials.self),
        body("pending-operations", PendingOperations.self),
        body("dispatch-target-change", DispatchTargetChange.self),
        body("dispatch-target-creation", DispatchTargetCreation.self),
        body("created-dispatch-target", CreatedDispatchTarget.self),
        body("dispatch-target-list", DispatchTargetList.self),
        body("dispatch-target-proof", DispatchTargetProof.self),
        FuzzedParser("signed-device-request") { bytes throws(FuzzFinding) in
            guard let text = try? text(bytes), let token = try? CompactJWS(parsing: text) else { return false }
            let payload = token.unverifiedPayload
            let claims =
                (try? DeviceRequest(body: payload))?.claims ?? (try? DeviceChange(body: payload))?.claims
                ?? (try? DispatchTargetChange(body: payload))?.claims
            guard let claims else { return false }
            // The claims of a payload must not depend on the type that reads it, because they identify the requester.
            guard (try? DeviceRequest(body: payload))?.claims == claims else {
                throw FuzzFinding(parser: "signed-device-request", promise: "every request has one set of claims")
            }
            return true
        },
    ]
}
