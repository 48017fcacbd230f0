package import StrictJSON

extension SigningProfile: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            algorithm: try members.required("authenticationAlgorithm", rules: rules),
            publicKeyFormat: try members.required("publicKeyAlgAndEncoding", rules: rules))
    }

    package var json: JSONValue {
        .object(
            JSONObject(["authenticationAlgorithm": algorithm.json, "publicKeyAlgAndEncoding": publicKeyFormat.json]))
    }
}
