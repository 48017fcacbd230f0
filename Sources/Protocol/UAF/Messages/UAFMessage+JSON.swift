package import StrictJSON

extension UAFMessage: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            protocolMessage: try members.requiredText("uafProtocolMessage"),
            additionalData: try members.optional("additionalData") { value throws(JSONTypeError) in
                try value.asObject()
            })
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "uafProtocolMessage": .string(protocolMessage), "additionalData": additionalData.map { .object($0) },
            ]))
    }
}
