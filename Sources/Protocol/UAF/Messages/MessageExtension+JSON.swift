package import StrictJSON

extension MessageExtension: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            id: try members.required("id", rules: rules),
            data: try members.required("data") { value throws(JSONTypeError) in try value.asString() },
            failIfUnknown: try members.required("fail_if_unknown") { value throws(JSONTypeError) in
                try value.asBool()
            })
    }

    package var json: JSONValue {
        .object(
            JSONObject(["id": id.json, "data": .string(data), "fail_if_unknown": .bool(failIfUnknown)]))
    }
}

extension [MessageExtension] {
    /// Throws ``MessageError/unknownCriticalExtension`` when one must not be ignored and is not among `known`.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.8.
    public func requireKnown(_ known: Set<ExtensionID>) throws(MessageError) {
        for one in self where one.failIfUnknown && !known.contains(one.id) { throw .unknownCriticalExtension }
    }
}
