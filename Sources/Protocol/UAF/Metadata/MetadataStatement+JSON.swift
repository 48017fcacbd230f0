import Octets
package import StrictJSON

extension MetadataStatement: JSONCoded {
    /// Reads a statement of the UAF family.
    ///
    /// More tolerant than messages are, since statements in use break rules: a boolean may be written as a string, the
    /// data of an extension may be any value, and the numbers may contradict each other (``MetadataLinter`` says so).
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            aaid: try members.required("aaid", rules: rules),
            description: try members.required("description") { value throws(JSONTypeError) in try value.asString() },
            signing: try SigningProfile(json: json, rules: rules),
            userVerificationDetails: try members.required("userVerificationDetails") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { alternative throws(JSONTypeError) in
                    try alternative.asNonEmptyArray(of: VerificationMethod.self, rules: rules)
                }
            },
            keyProtection: try members.required("keyProtection", rules: rules),
            matcherProtection: try members.required("matcherProtection", rules: rules))
        try readModel(members, rules: rules)
        try readAttestation(members, rules: rules)
        additionalSigningProfiles =
            try members.optionalArray("additionalSigningProfiles", rules: rules)
            ?? Self.knownAlternatives(for: aaid, besides: signing)
    }

    private mutating func readModel(_ members: JSONObject, rules: DecodingRules) throws(JSONTypeError) {
        authenticatorVersion = try members.requiredInteger("authenticatorVersion")
        protocolFamily = try members.optional("protocolFamily") { value throws(JSONTypeError) in
            try value.asString()
        }
        supportedVersions = try members.requiredArray("upv", rules: rules)
        assertionScheme = try members.required("assertionScheme", rules: rules)
        isKeyRestricted = try members.optional("isKeyRestricted", Self.flag) ?? true
        isFreshUserVerificationRequired = try members.optional("isFreshUserVerificationRequired", Self.flag) ?? true
        attachmentHint = try members.required("attachmentHint", rules: rules)
        isSecondFactorOnly = try members.required("isSecondFactorOnly", Self.flag)
        display = TransactionDisplay(
            kind: try members.required("tcDisplay", rules: rules),
            contentType: try members.optional("tcDisplayContentType", rules: rules),
            characteristics: try members.list("tcDisplayPNGCharacteristics", rules: rules))
        icon = try members.optional("icon") { value throws(JSONTypeError) in try value.asString() }
    }

    private mutating func readAttestation(_ members: JSONObject, rules: DecodingRules) throws(JSONTypeError) {
        attestationTypes = try members.requiredArray("attestationTypes", rules: rules)
        attestationRootCertificates = try members.required("attestationRootCertificates") {
            value throws(JSONTypeError) in
            try value.asArray { certificate throws(JSONTypeError) in
                guard let octets = try? Base64.decode(try certificate.asString()) else {
                    throw JSONTypeError(.invalidForm)
                }
                return octets
            }
        }
        ecdaaTrustAnchors = try members.list("ecdaaTrustAnchors", rules: rules)
        supportedExtensions = try members.list("supportedExtensions", rules: rules)
    }

    /// A boolean, or the string that the specification's own examples write in its place.
    private static func flag(_ value: JSONValue) throws(JSONTypeError) -> Bool {
        if case .string(let text) = value {
            if text.hasSameOctets(as: "true") { return true }
            if text.hasSameOctets(as: "false") { return false }
        }
        return try value.asBool()
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "aaid": aaid.json, "description": .string(description),
                "authenticatorVersion": .integer(authenticatorVersion),
                "protocolFamily": protocolFamily.map { .string($0) }, "upv": .array(supportedVersions.map(\.json)),
                "assertionScheme": assertionScheme.json, "authenticationAlgorithm": signing.algorithm.json,
                "publicKeyAlgAndEncoding": signing.publicKeyFormat.json,
                "attestationTypes": .array(attestationTypes.map(\.json)),
                "userVerificationDetails": .array(userVerificationDetails.map { .array($0.map(\.json)) }),
                "keyProtection": keyProtection.json, "matcherProtection": matcherProtection.json,
                "isKeyRestricted": .bool(isKeyRestricted),
                "isFreshUserVerificationRequired": .bool(isFreshUserVerificationRequired),
                "attachmentHint": attachmentHint.json, "isSecondFactorOnly": .bool(isSecondFactorOnly),
                "tcDisplay": display.kind.json, "tcDisplayContentType": display.contentType?.json,
                "tcDisplayPNGCharacteristics": .list(display.characteristics),
                "attestationRootCertificates": .array(
                    attestationRootCertificates.map { .string(Base64.encode($0)) }),
                "ecdaaTrustAnchors": .list(ecdaaTrustAnchors), "icon": icon.map { .string($0) },
                "supportedExtensions": .list(supportedExtensions),
                "additionalSigningProfiles": .list(additionalSigningProfiles),
            ]))
    }
}
