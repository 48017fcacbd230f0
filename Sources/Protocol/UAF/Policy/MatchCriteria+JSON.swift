package import StrictJSON

extension MatchCriteria: JSONCoded {
    /// Reads a criteria; the combination of its members must be an allowed one.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init()
        aaids = try members.optionalArray("aaid", rules: rules)
        vendorIDs = try members.optionalArray("vendorID", rules: rules)
        keyIDs = try members.optionalArray("keyIDs", rules: rules)
        userVerification = try members.optional("userVerification", rules: rules)
        keyProtection = try members.optional("keyProtection", rules: rules)
        matcherProtection = try members.optional("matcherProtection", rules: rules)
        attachmentHint = try members.optional("attachmentHint", rules: rules)
        transactionConfirmationDisplay = try members.optional("tcDisplay", rules: rules)
        authenticationAlgorithms = try members.optionalArray("authenticationAlgorithms", rules: rules)
        assertionSchemes = try members.optionalArray("assertionSchemes", rules: rules)
        attestationTypes = try members.optionalArray("attestationTypes", rules: rules)
        authenticatorVersion = try members.optionalInteger("authenticatorVersion")
        extensions = try members.list("exts", rules: rules)
        try requireAllowedCombination()
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "aaid": .array(of: aaids), "vendorID": .array(of: vendorIDs), "keyIDs": .array(of: keyIDs),
                "userVerification": userVerification?.json, "keyProtection": keyProtection?.json,
                "matcherProtection": matcherProtection?.json, "attachmentHint": attachmentHint?.json,
                "tcDisplay": transactionConfirmationDisplay?.json,
                "authenticationAlgorithms": .array(of: authenticationAlgorithms),
                "assertionSchemes": .array(of: assertionSchemes), "attestationTypes": .array(of: attestationTypes),
                "authenticatorVersion": authenticatorVersion.map { .integer($0) }, "exts": .list(extensions),
            ]))
    }

    /// Throws unless the members may stand together.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12: a model that is named is not described as well, and one that is not named is
    /// described at least by algorithms and schemes.
    package func requireAllowedCombination() throws(JSONTypeError) {
        guard aaids != nil else {
            guard authenticationAlgorithms != nil else {
                throw JSONTypeError(path: ["authenticationAlgorithms"], .missing)
            }
            guard assertionSchemes != nil else { throw JSONTypeError(path: ["assertionSchemes"], .missing) }
            return
        }
        let describesModel =
            vendorIDs != nil || userVerification != nil || keyProtection != nil || matcherProtection != nil
            || transactionConfirmationDisplay != nil || authenticationAlgorithms != nil || assertionSchemes != nil
            || attestationTypes != nil
        guard !describesModel else { throw JSONTypeError(path: ["aaid"], .invalidForm) }
    }
}

extension JSONValue {
    fileprivate static func array(of values: [some JSONCoded]?) -> JSONValue? {
        values.map { .array($0.map(\.json)) }
    }
}
