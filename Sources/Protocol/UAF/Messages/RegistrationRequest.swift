package import StrictJSON

/// Request to the client to make a key.
///
/// FIDO UAF Protocol 1.1, 3.4.1.
///
/// ```swift
/// let request = RegistrationRequest(
///     header: OperationHeader(operation: .registration, appID: AppID("https://bank.example/facets")),
///     challenge: challenge, username: username, policy: policy)
/// let message = OperationRequest.registration(request).message
/// ```
public struct RegistrationRequest: Hashable, Sendable {
    /// Header; its operation is ``OperationKind/registration``.
    public let header: OperationHeader
    /// Fresh random bytes.
    public let challenge: ServerChallenge
    /// Name of the account, for display.
    public let username: UserName
    /// Policy that selects the authenticators.
    public let policy: Policy

    /// Makes a request.
    public init(header: OperationHeader, challenge: ServerChallenge, username: UserName, policy: Policy) {
        self.header = header
        self.challenge = challenge
        self.username = username
        self.policy = policy
    }
}

extension RegistrationRequest: JSONCoded {
    /// Longest user name in bytes of UTF-8 that an authenticator command can carry.
    static let usernameByteLimit = 128

    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .registration, inRequest: true, rules: rules),
            challenge: try members.required("challenge", rules: rules),
            username: try members.required("username", rules: rules),
            policy: try members.required("policy", rules: rules))
        guard username.text.utf8.count <= Self.usernameByteLimit else {
            throw JSONTypeError(path: ["username"], .outOfRange)
        }
    }

    package var json: JSONValue {
        .object([
            "header": header.json, "challenge": challenge.json, "username": username.json, "policy": policy.json,
        ])
    }
}

/// Response to a ``RegistrationRequest``.
///
/// FIDO UAF Protocol 1.1, 3.4.3.
public struct RegistrationResponse: Hashable, Sendable {
    /// Copy of the request's header.
    public let header: OperationHeader
    /// Final challenge parameters that the assertions are bound to.
    public let finalChallenge: FinalChallengeParameters
    /// One entry for each authenticator that made a key; not empty.
    public let assertions: [AuthenticatorRegistrationAssertion]

    /// Makes an answer.
    public init(
        header: OperationHeader, finalChallenge: FinalChallengeParameters,
        assertions: [AuthenticatorRegistrationAssertion]
    ) {
        self.header = header
        self.finalChallenge = finalChallenge
        self.assertions = assertions
    }
}

extension RegistrationResponse {
    /// Reads a UAF message that holds exactly one response, which is of this kind.
    ///
    /// The version in its header is not judged. Throws ``MessageError``.
    package init(message: [UInt8], rules: DecodingRules) throws(MessageError) {
        self = try MessageEnvelope(message, rules: rules).onlyElement { element throws(JSONTypeError) in
            try Self(json: element, rules: rules)
        }
    }
}

extension RegistrationResponse: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .registration, inRequest: false, rules: rules),
            finalChallenge: try members.required("fcParams", rules: rules),
            assertions: try members.requiredArray("assertions", rules: rules))
    }

    package var json: JSONValue {
        .object([
            "header": header.json, "fcParams": finalChallenge.json, "assertions": .array(assertions.map(\.json)),
        ])
    }
}

extension AuthenticatorRegistrationAssertion: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            scheme: try members.required("assertionScheme", rules: rules),
            assertion: try members.requiredText("assertion"),
            displayCharacteristics: try members.list("tcDisplayPNGCharacteristics", rules: rules),
            extensions: try members.list("exts", rules: rules))
    }

    package var json: JSONValue {
        .object([
            "assertionScheme": scheme.json, "assertion": .string(assertion),
            "tcDisplayPNGCharacteristics": .list(displayCharacteristics), "exts": .list(extensions),
        ])
    }

    /// The bytes of the assertion.
    ///
    /// Throws ``MessageError/invalidMember(path:_:)`` when the text is not base64url of 1 to 4096 bytes.
    public func octets(rules: DecodingRules = .strict) throws(MessageError) -> [UInt8] {
        try AssertionText.octets(of: assertion, limit: RegistrationAssertion.byteLimit, rules: rules)
    }
}
