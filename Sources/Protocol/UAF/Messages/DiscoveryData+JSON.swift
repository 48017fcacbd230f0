package import StrictJSON

extension DiscoveryData: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            supportedVersions: try members.requiredArray("supportedUAFVersions", rules: rules),
            clientVendor: try members.requiredText("clientVendor"),
            clientVersion: try members.required("clientVersion", rules: rules),
            availableAuthenticators: try members.required("availableAuthenticators") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in
                    try DiscoveredAuthenticator(json: element, rules: rules)
                }
            })
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "supportedUAFVersions": .array(supportedVersions.map(\.json)), "clientVendor": .string(clientVendor),
                "clientVersion": clientVersion.json,
                "availableAuthenticators": .array(availableAuthenticators.map(\.json)),
            ]))
    }
}
