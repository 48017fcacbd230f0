package import StrictJSON

extension ProtocolVersion: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            major: try members.required("major") { value throws(JSONTypeError) in try value.asInteger() },
            minor: try members.required("minor") { value throws(JSONTypeError) in try value.asInteger() })
    }

    package var json: JSONValue {
        .object(JSONObject(["major": .integer(major), "minor": .integer(minor)]))
    }
}
