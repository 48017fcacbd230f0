package import StrictJSON

/// Request to the client to delete keys; there is no response.
///
/// FIDO UAF Protocol 1.1, 3.6.1.
public struct DeregistrationRequest: Hashable, Sendable {
    /// Header; its operation is ``OperationKind/deregistration``.
    public let header: OperationHeader
    /// Keys to delete; not empty, and an entry other than ``DeregisterAuthenticator/key(_:)`` stands alone.
    public let authenticators: [DeregisterAuthenticator]

    /// Makes a request to delete the given keys.
    public init(header: OperationHeader, authenticators: [DeregisterAuthenticator]) {
        self.header = header
        self.authenticators = authenticators
    }
}

extension DeregistrationRequest {
    /// The keys that a client has to delete, out of those it holds for the effective AppID, in the order it holds them.
    ///
    /// FIDO UAF Protocol 1.1, 3.6.4.2. Keys of other AppIDs must not be handed in: the request is unauthenticated and
    /// may touch only what belongs to its caller. Keys and models that are not there are passed over silently.
    public func keysToForget(among held: [CredentialID]) -> [CredentialID] {
        held.filter { credential in
            authenticators.contains { entry in
                switch entry {
                case .key(let named): named == credential
                case .allKeys(let aaid): aaid == credential.aaid
                case .everything: true
                }
            }
        }
    }
}

extension DeregistrationRequest: JSONCoded {
    /// Reads a request; an entry with an empty string in it must be the only one.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .deregistration, inRequest: true, rules: rules),
            authenticators: try members.requiredArray("authenticators", rules: rules))
        guard authenticators.count == 1 || authenticators.allSatisfy(\.namesKey) else {
            throw JSONTypeError(path: ["authenticators"], .invalidForm)
        }
    }

    package var json: JSONValue {
        .object(["header": header.json, "authenticators": .array(authenticators.map(\.json))])
    }
}

extension DeregisterAuthenticator: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let aaid: AAID? = try members.requiredOrEmpty("aaid", rules: rules)
        let keyID: KeyID? = try members.requiredOrEmpty("keyID", rules: rules)
        switch (aaid, keyID) {
        case (let aaid?, let keyID?): self = .key(CredentialID(aaid: aaid, keyID: keyID))
        case (let aaid?, nil): self = .allKeys(of: aaid)
        case (nil, nil): self = .everything
        case (nil, _?): throw JSONTypeError(path: ["aaid"], .invalidForm)
        }
    }

    package var json: JSONValue {
        switch self {
        case .key(let credential): Self.json(credential.aaid.text, credential.keyID.base64URL)
        case .allKeys(let aaid): Self.json(aaid.text, "")
        case .everything: Self.json("", "")
        }
    }

    fileprivate var namesKey: Bool {
        guard case .key = self else { return false }
        return true
    }

    private static func json(_ aaid: String, _ keyID: String) -> JSONValue {
        .object(["aaid": .string(aaid), "keyID": .string(keyID)])
    }
}

extension JSONObject {
    /// The member `name`, which must be there; nil when it is the empty string.
    fileprivate func requiredOrEmpty<Value: JSONCoded>(
        _ name: String, rules: DecodingRules
    ) throws(JSONTypeError) -> Value? {
        try required(name) { value throws(JSONTypeError) in
            if case .string(let text) = value, text.isEmpty { return nil }
            return try Value(json: value, rules: rules)
        }
    }
}
