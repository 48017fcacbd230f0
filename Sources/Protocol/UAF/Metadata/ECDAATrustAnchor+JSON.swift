package import StrictJSON

extension ECDAATrustAnchor: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let text = { value throws(JSONTypeError) in try value.asNonEmptyString() } as Reader
        self.init(
            x: try members.required("X", text), y: try members.required("Y", text), c: try members.required("c", text),
            sx: try members.required("sx", text), sy: try members.required("sy", text),
            curve: try members.required("G1Curve", text))
    }

    private typealias Reader = (JSONValue) throws(JSONTypeError) -> String

    package var json: JSONValue {
        .object(
            JSONObject([
                "X": .string(x), "Y": .string(y), "c": .string(c), "sx": .string(sx), "sy": .string(sy),
                "G1Curve": .string(curve),
            ]))
    }
}
