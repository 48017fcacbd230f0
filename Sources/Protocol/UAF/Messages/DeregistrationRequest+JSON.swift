package import StrictJSON

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
        .object(JSONObject(["header": header.json, "authenticators": .array(authenticators.map(\.json))]))
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
        .object(JSONObject(["aaid": .string(aaid), "keyID": .string(keyID)]))
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
