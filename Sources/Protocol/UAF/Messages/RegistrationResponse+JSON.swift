package import StrictJSON

extension RegistrationResponse: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .registration, inRequest: false, rules: rules),
            finalChallenge: try members.required("fcParams", rules: rules),
            assertions: try members.requiredArray("assertions", rules: rules))
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "header": header.json, "fcParams": finalChallenge.json, "assertions": .array(assertions.map(\.json)),
            ]))
    }
}

extension AuthenticatorRegistrationAssertion: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            scheme: try members.required("assertionScheme", rules: rules),
            assertion: try members.requiredText("assertion"),
            displayCharacteristics: try members.list("tcDisplayPNGCharacteristics", rules: rules),
            extensions: try members.list("exts", rules: rules))
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "assertionScheme": scheme.json, "assertion": .string(assertion),
                "tcDisplayPNGCharacteristics": .list(displayCharacteristics), "exts": .list(extensions),
            ]))
    }

    /// The bytes of the assertion.
    ///
    /// Throws ``MessageError/invalidMember(path:_:)`` when the text is not base64url of 1 to 4096 bytes.
    public func octets(rules: DecodingRules = .strict) throws(MessageError) -> [UInt8] {
        try AssertionText.octets(of: assertion, limit: RegistrationAssertion.byteLimit, rules: rules)
    }
}
