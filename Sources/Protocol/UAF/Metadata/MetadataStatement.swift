import Octets
package import StrictJSON

/// Metadata statement of a vendor about an authenticator model.
///
/// FIDO Metadata Statements 1.1, 4. Only the members of other protocols are left out.
///
/// ```swift
/// var statement = MetadataStatement(
///     aaid: aaid, description: "PIN, with the key in a chip", signing: .p256,
///     userVerificationDetails: [[VerificationMethod(.passcode)]],
///     keyProtection: [.hardware, .secureElement], matcherProtection: .onChip)
/// statement.authenticatorVersion = 2
/// ```
public struct MetadataStatement: Hashable, Sendable {
    /// The model.
    public var aaid: AAID
    /// Description of the model in plain language.
    public var description: String
    /// Lowest trustworthy version of the authenticator.
    public var authenticatorVersion: UInt16 = 1
    /// Protocol family; nil means `uaf`.
    public var protocolFamily: String?
    /// Protocol versions.
    public var supportedVersions: [ProtocolVersion] = [.version11]
    /// Assertion scheme of the model.
    public var assertionScheme: AssertionScheme = .uafV1TLV
    /// The algorithm it signs with, and the format of its keys (informative: the assertion says what it really is).
    public var signing: SigningProfile
    /// Further algorithms and formats that are accepted; not part of a FIDO statement.
    ///
    /// Models that changed their algorithm in a later release still have one AAID.
    public var additionalSigningProfiles: [SigningProfile] = []
    /// Attestation types that the model supports.
    public var attestationTypes: [AttestationType] = [.basicSurrogate]
    /// Combinations of verification methods: outer alternatives, inner methods needed together.
    public var userVerificationDetails: [[VerificationMethod]]
    /// Protection of private keys.
    public var keyProtection: KeyProtection
    /// Protection of the matcher.
    public var matcherProtection: MatcherProtection
    /// Whether its keys sign nothing but assertions.
    public var isKeyRestricted = true
    /// Whether every signature needs a fresh verification of the user.
    public var isFreshUserVerificationRequired = true
    /// All ways it can be attached.
    public var attachmentHint: AttachmentHint = .internal
    /// Whether it can only be used beside another factor.
    public var isSecondFactorOnly = false
    /// Transaction display and the content it accepts.
    public var display = TransactionDisplay()
    /// Certificates (DER) that a full attestation must lead to; empty exactly when only surrogate is supported.
    public var attestationRootCertificates: [[UInt8]] = []
    /// Public keys (SubjectPublicKeyInfo, DER) that a full attestation may lead to; they come before the certificates.
    ///
    /// FIDO has no member for them: they stand in an extension of the closed product's metadata.
    package var attestationRootKeys: [[UInt8]] = []
    /// Trust anchors of ECDAA attestation.
    public var ecdaaTrustAnchors: [ECDAATrustAnchor] = []
    /// `data:` URL of a PNG image.
    public var icon: String?
    /// Extensions it supports.
    public var supportedExtensions: [SupportedExtension] = []

    /// States what must be stated; everything else has the usual value and can be changed.
    public init(
        aaid: AAID, description: String, signing: SigningProfile, userVerificationDetails: [[VerificationMethod]],
        keyProtection: KeyProtection, matcherProtection: MatcherProtection
    ) {
        self.aaid = aaid
        self.description = description
        self.signing = signing
        self.userVerificationDetails = userVerificationDetails
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }
}

extension MetadataStatement {
    /// Whether keys of the model have to come with a full attestation.
    package var hasAttestationRoots: Bool { !attestationRootCertificates.isEmpty || !attestationRootKeys.isEmpty }

    /// All algorithms that are accepted from the model, its stated one first.
    public var authenticationAlgorithms: [AuthenticationAlgorithm] {
        var algorithms = [signing.algorithm]
        for profile in additionalSigningProfiles where !algorithms.contains(profile.algorithm) {
            algorithms.append(profile.algorithm)
        }
        return algorithms
    }

    /// The one value that policies compare, derived from ``userVerificationDetails``.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12. One alternative with several methods needs all of them; several alternatives with
    /// one method each need any. Nil for anything else: such a model can only be named by its AAID.
    public var userVerification: UserVerification? {
        let methods = UserVerification(userVerificationDetails.joined().map(\.userVerification))
        guard userVerificationDetails.contains(where: { $0.count > 1 }) else { return methods }
        return userVerificationDetails.count == 1 ? methods.union(.all) : nil
    }

    /// Characteristics that a policy is matched against; nil when the user verification cannot be expressed in one
    /// value.
    public var characteristics: AuthenticatorCharacteristics? {
        guard let userVerification else { return nil }
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: authenticationAlgorithms, userVerification: userVerification,
            keyProtection: keyProtection, matcherProtection: matcherProtection)
        characteristics.assertionScheme = assertionScheme
        characteristics.attestationTypes = attestationTypes
        characteristics.attachmentHint = attachmentHint
        characteristics.transactionConfirmationDisplay = display.kind
        characteristics.isSecondFactorOnly = isSecondFactorOnly
        return characteristics
    }
}

extension MetadataStatement: JSONCoded {
    /// Reads a statement of the UAF family, of schema 2 or 3.
    ///
    /// More tolerant than messages are, since statements in use break rules: a boolean may be written as a string, the
    /// data of an extension may be any value, a certificate may stand in lines, and the numbers may contradict each other
    /// (``MetadataLinter`` says so).
    package init(json written: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let json = try MetadataSchema.numbered(written)
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
                let text = try certificate.asString()
                guard let octets = Self.der(text) else { throw JSONTypeError(.invalidForm) }
                return octets
            }
        }
        ecdaaTrustAnchors = try members.list("ecdaaTrustAnchors", rules: rules)
        var keys: [[UInt8]] = []
        let extensions = try members.optional("supportedExtensions") { value throws(JSONTypeError) in
            try value.asArray { one throws(JSONTypeError) -> SupportedExtension? in
                let members = try one.asObject()
                guard try members.optionalString("id") == Self.rootKeysExtension else {
                    return try SupportedExtension(json: one, rules: rules)
                }
                keys += try members.required("data", Self.rootKeys)
                return nil
            }
        }
        supportedExtensions = (extensions ?? []).compactMap(\.self)
        attestationRootKeys = keys
    }

    /// Longer than identifiers of extensions may be, so it is no ``ExtensionID``.
    private static let rootKeysExtension = "nevis.auth.fido.uaf.google-attestation-root-keys"

    /// Keys in the data of the extension: a text, several in a list, or a list in a text.
    private static func rootKeys(_ data: JSONValue) throws(JSONTypeError) -> [[UInt8]] {
        var data = data
        if case .string(let text) = data, text.hasPrefix("["), let list = try? JSONParser.parse(text) { data = list }
        guard case .array = data else { return [try rootKey(data)] }
        return try data.asNonEmptyArray(rootKey)
    }

    private static func rootKey(_ json: JSONValue) throws(JSONTypeError) -> [UInt8] {
        guard let key = der(try json.asString()), !key.isEmpty else { throw JSONTypeError(.invalidForm) }
        return key
    }

    /// DER of a certificate or a key in base64, also in lines, behind white space, and between the lines of PEM; nil for another text.
    private static func der(_ text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        return try? Base64.decode(lines.joined().filter { $0 != " " && $0 != "\t" })
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
        .object([
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
            "supportedExtensions": extensionsJSON,
            "additionalSigningProfiles": .list(additionalSigningProfiles),
        ])
    }

    private var extensionsJSON: JSONValue? {
        guard !attestationRootKeys.isEmpty else { return .list(supportedExtensions) }
        let keys = JSONValue.object([
            "id": .string(Self.rootKeysExtension),
            "data": .array(attestationRootKeys.map { .string(Base64.encode($0)) }), "fail_if_unknown": .bool(false),
        ])
        return .array(supportedExtensions.map(\.json) + [keys])
    }
}
