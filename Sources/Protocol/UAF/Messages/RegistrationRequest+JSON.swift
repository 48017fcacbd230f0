package import StrictJSON

extension RegistrationRequest: JSONCoded {
    /// Longest user name in bytes of UTF-8 that an authenticator command can carry.
    static let usernameByteLimit = 128

    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .registration, inRequest: true, rules: rules),
            challenge: try members.required("challenge", rules: rules),
            username: try members.required("username", rules: rules),
            policy: try members.required("policy", rules: rules))
        guard username.text.utf8.count <= Self.usernameByteLimit else {
            throw JSONTypeError(path: ["username"], .outOfRange)
        }
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "header": header.json, "challenge": challenge.json, "username": username.json, "policy": policy.json,
            ]))
    }
}
