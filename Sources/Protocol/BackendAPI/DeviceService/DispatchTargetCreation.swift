import StrictJSON
public import UAF

/// What a client sends to make a dispatch target of its own accord (`backend-http-api` 2.3.1).
public struct DispatchTargetCreation: MessageBody {
    /// The user; nil for the one that the authorization names.
    public let username: UserName?
    /// What the target is and which keys it has.
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

extension DispatchTargetCreation: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

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
