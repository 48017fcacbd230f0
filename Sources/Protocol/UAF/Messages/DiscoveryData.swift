package import StrictJSON

/// Description of a client and its authenticators for an application.
///
/// FIDO UAF Application API and Transport Binding 1.1, 2.4.2.
///
/// ```swift
/// let authenticator = DiscoveredAuthenticator(
///     aaid: aaid, appearance: .init(title: "PIN", description: "Asks for a PIN.", icon: icon),
///     characteristics: characteristics)
/// let discovery = DiscoveryData(
///     clientVendor: "Example Bank", clientVersion: ProtocolVersion(major: 1, minor: 0),
///     availableAuthenticators: [authenticator])
/// ```
public struct DiscoveryData: Hashable, Sendable {
    /// Protocol versions, preferred first.
    public let supportedVersions: [ProtocolVersion]
    /// Vendor of the client.
    public let clientVendor: String
    /// Version of the client.
    public let clientVersion: ProtocolVersion
    /// Authenticators that can be used now; may be empty.
    public let availableAuthenticators: [DiscoveredAuthenticator]

    /// Creates the description of a client.
    public init(
        supportedVersions: [ProtocolVersion] = [.version11], clientVendor: String, clientVersion: ProtocolVersion,
        availableAuthenticators: [DiscoveredAuthenticator]
    ) {
        self.supportedVersions = supportedVersions
        self.clientVendor = clientVendor
        self.clientVersion = clientVersion
        self.availableAuthenticators = availableAuthenticators
    }
}

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

/// Description of an authenticator that a client gives to an application (`Authenticator`).
///
/// FIDO UAF Application API and Transport Binding 1.1, 2.4.3. It holds nothing about the user.
public struct DiscoveredAuthenticator: Hashable, Sendable {
    /// Texts and icon that are shown to the user; none may be empty.
    public struct Appearance: Hashable, Sendable {
        /// Short name.
        public let title: String
        /// One sentence.
        public let description: String
        /// `data:` URL of a PNG image.
        public let icon: String

        /// Creates an appearance.
        public init(title: String, description: String, icon: String) {
            self.title = title
            self.description = description
            self.icon = icon
        }
    }

    /// Model of the authenticator.
    public let aaid: AAID
    /// User-visible title, description and icon.
    public let appearance: Appearance
    /// Protocol versions it can be used with.
    public let supportedVersions: [ProtocolVersion]
    /// Characteristics that a policy is matched against.
    public let characteristics: AuthenticatorCharacteristics
    /// Content type that its display supports; nil when it has none.
    public var displayContentType: ContentType?
    /// Required PNG encoding of images for its display.
    public var displayCharacteristics: [DisplayPNGCharacteristics] = []
    /// Extensions it understands.
    public var supportedExtensions: [ExtensionID] = []

    /// Describes an authenticator without a display.
    public init(
        aaid: AAID, appearance: Appearance, supportedVersions: [ProtocolVersion] = [.version11],
        characteristics: AuthenticatorCharacteristics
    ) {
        self.aaid = aaid
        self.appearance = appearance
        self.supportedVersions = supportedVersions
        self.characteristics = characteristics
    }
}

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
