package import StrictJSON

extension ProtocolVersion: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            major: try members.requiredInteger("major"), minor: try members.requiredInteger("minor"))
    }

    package var json: JSONValue {
        .object(JSONObject(["major": .integer(major), "minor": .integer(minor)]))
    }
}
