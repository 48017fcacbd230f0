import StrictJSON

/// Dispatch target of the device that registers, sent beside its assertion.
public enum DispatchTargetProposal: Sendable {
    /// The account has no target on this device: one with these properties is to be made, and the proof is a compact
    /// JWS over a ``DispatchTargetProof`` by its signature key.
    case new(NewDispatchTarget, proof: String)
    /// The account has a target on this device: the proof is a compact JWS over a ``DispatchTargetProof`` with claims,
    /// by the signature key that the server knows.
    case existing(DeviceID, proof: String)
}

extension DispatchTargetProposal: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let proof = try members.string("proof")
        if members["signatureKey"] == nil {
            self = .existing(try members.required("deviceId", DeviceID.init(json:)), proof: proof)
        } else {
            self = .new(try NewDispatchTarget(members), proof: proof)
        }
    }

    var json: JSONValue {
        switch self {
        case .new(let target, let proof): .object(target.members.followed(by: ["proof": .string(proof)]))
        case .existing(let deviceID, let proof): .object(["deviceId": deviceID.json, "proof": .string(proof)])
        }
    }
}
