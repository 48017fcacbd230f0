import StrictJSON
public import UAF

/// Request of a client that creates a dispatch target on its own initiative.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// let target = NewDispatchTarget(
///     name: name, deviceID: DeviceID("7f3a9c51"), destination: .disabledByUser, dispatcher: nil,
///     signatureKey: signatureKey, encryptionKey: encryptionKey)
/// let proof = DispatchTargetCreationProof(of: target, username: nil, audience: address)
/// let creation = DispatchTargetCreation(target, proof: try sign(proof.body))
/// let body = creation.body  // To `Endpoint.createDispatchTarget`.
/// ```
public struct DispatchTargetCreation: MessageBody {
    /// The user; nil for the one that the authorization names.
    public let username: UserName?
    /// Properties and keys of the new target.
    public let target: NewDispatchTarget
    /// The compact JWS over a ``DispatchTargetCreationProof`` by the target's signature key; nil from clients that
    /// prove nothing.
    public let proof: String?

    /// A target to make.
    public init(_ target: NewDispatchTarget, username: UserName? = nil, proof: String? = nil) {
        self.username = username
        self.target = target
        self.proof = proof
    }
}

extension DispatchTargetCreation: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            try NewDispatchTarget(members),
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            proof: try members.optionalString("proof"))
    }

    var json: JSONValue {
        .object(
            JSONObject(
                distinct: JSONObject(["username": (username?.text).map(JSONValue.string)]).members
                    + target.members.members
                    + JSONObject(["proof": proof.map(JSONValue.string)]).members))
    }
}

/// Proof of possession by the signature key of a target that a client creates on its own initiative.
///
/// The login that comes with the request says who asks and how fresh that is; the proof names the account, so that it
/// is of no use for another one.
public struct DispatchTargetCreationProof: MessageBody {
    /// Signed statement about the target.
    public let statement: DispatchTargetProof.Statement
    /// The user as the request names them; nil for the one that the authorization names.
    public let username: UserName?
    /// The whole address of the service that makes targets: public base address and path.
    public let audience: String

    /// A proof for a target that is to be made.
    public init(of target: NewDispatchTarget, username: UserName?, audience: String) {
        self.init(DispatchTargetProof.Statement(of: target), username: username, audience: audience)
    }

    private init(_ statement: DispatchTargetProof.Statement, username: UserName?, audience: String) {
        self.statement = statement
        self.username = username
        self.audience = audience
    }
}

extension DispatchTargetCreationProof: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let method = try members.required("htm", Endpoint.Method.init(json:))
        guard method == .post else { throw JSONTypeError(path: ["htm"], .outOfRange) }
        self.init(
            try DispatchTargetProof.Statement(members),
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            audience: try members.string("aud"))
    }

    var json: JSONValue {
        let common: JSONObject = [
            "aud": .string(audience), "htm": Endpoint.Method.post.json,
            "username": (username?.text).map(JSONValue.string),
        ]
        return .object(common.followed(by: statement.members))
    }
}
