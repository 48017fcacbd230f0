package import StrictJSON

extension DiscoveredAuthenticator: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let text = { value throws(JSONTypeError) in try value.asNonEmptyString() } as Reader
        self.init(
            aaid: try members.required("aaid", rules: rules),
            appearance: Appearance(
                title: try members.required("title", text), description: try members.required("description", text),
                icon: try members.required("icon", text)),
            supportedVersions: try members.requiredArray("supportedUAFVersions", rules: rules),
            characteristics: try AuthenticatorCharacteristics(members: members, rules: rules))
        displayContentType = try members.optional("tcDisplayContentType", rules: rules)
        displayCharacteristics = try members.list("tcDisplayPNGCharacteristics", rules: rules)
        supportedExtensions = try members.list("supportedExtensionIDs", rules: rules)
        guard characteristics.transactionConfirmationDisplay.isEmpty || displayContentType != nil else {
            throw JSONTypeError(path: ["tcDisplayContentType"], .missing)
        }
    }

    private typealias Reader = (JSONValue) throws(JSONTypeError) -> String

    package var json: JSONValue {
        .object(
            JSONObject([
                "title": .string(appearance.title), "aaid": aaid.json, "description": .string(appearance.description),
                "supportedUAFVersions": .array(supportedVersions.map(\.json)),
                "assertionScheme": characteristics.assertionScheme.json,
                "authenticationAlgorithm": characteristics.authenticationAlgorithms.first?.json,
                "attestationTypes": .array(characteristics.attestationTypes.map(\.json)),
                "userVerification": characteristics.userVerification.json,
                "keyProtection": characteristics.keyProtection.json,
                "matcherProtection": characteristics.matcherProtection.json,
                "attachmentHint": characteristics.attachmentHint.json,
                "isSecondFactorOnly": .bool(characteristics.isSecondFactorOnly),
                "tcDisplay": characteristics.transactionConfirmationDisplay.json,
                "tcDisplayContentType": displayContentType?.json,
                "tcDisplayPNGCharacteristics": .list(displayCharacteristics), "icon": .string(appearance.icon),
                "supportedExtensionIDs": .list(supportedExtensions),
            ]))
    }
}

extension AuthenticatorCharacteristics {
    /// Reads the characteristics that stand among the members of a description.
    package init(members: JSONObject, rules: DecodingRules) throws(JSONTypeError) {
        self.init(
            authenticationAlgorithms: [try members.required("authenticationAlgorithm", rules: rules)],
            userVerification: try members.required("userVerification", rules: rules),
            keyProtection: try members.required("keyProtection", rules: rules),
            matcherProtection: try members.required("matcherProtection", rules: rules))
        assertionScheme = try members.required("assertionScheme", rules: rules)
        attestationTypes = try members.requiredArray("attestationTypes", rules: rules)
        attachmentHint = try members.required("attachmentHint", rules: rules)
        transactionConfirmationDisplay = try members.required("tcDisplay", rules: rules)
        isSecondFactorOnly = try members.required("isSecondFactorOnly") { value throws(JSONTypeError) in
            try value.asBool()
        }
    }
}
