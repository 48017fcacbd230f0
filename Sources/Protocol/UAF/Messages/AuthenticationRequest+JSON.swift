package import StrictJSON

extension AuthenticationRequest: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .authentication, inRequest: true, rules: rules),
            challenge: try members.required("challenge", rules: rules),
            transactions: try members.optionalArray("transaction", rules: rules) ?? [],
            policy: try members.required("policy", rules: rules))
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "header": header.json, "challenge": challenge.json, "transaction": .list(transactions),
                "policy": policy.json,
            ]))
    }
}
