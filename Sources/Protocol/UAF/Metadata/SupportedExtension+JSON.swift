package import StrictJSON

extension SupportedExtension: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            id: try members.required("id", rules: rules),
            failIfUnknown: try members.required("fail_if_unknown") { value throws(JSONTypeError) in
                try value.asBool()
            },
            data: members["data"])
    }

    package var json: JSONValue {
        .object(JSONObject(["id": id.json, "data": data, "fail_if_unknown": .bool(failIfUnknown)]))
    }
}
