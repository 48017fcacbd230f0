package import StrictJSON

extension Policy: JSONCoded {
    /// Reads a policy; `accepted` and the sets in it are not empty.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            accepted: try members.required("accepted") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { set throws(JSONTypeError) in
                    try set.asNonEmptyArray(of: MatchCriteria.self, rules: rules)
                }
            },
            disallowed: try members.list("disallowed", rules: rules))
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "accepted": .array(accepted.map { set in .array(set.map(\.json)) }),
                "disallowed": .list(disallowed),
            ]))
    }
}
