import Octets
package import StrictJSON

/// Asks the client to prove possession of a key, and to have a transaction confirmed if there is one.
///
/// FIDO UAF Protocol 1.1, 3.5.3.
public struct AuthenticationRequest: Hashable, Sendable {
    /// Header; its operation is ``OperationKind/authentication``.
    public let header: OperationHeader
    /// Fresh random bytes.
    public let challenge: ServerChallenge
    /// Renderings of the one transaction to confirm; empty when there is none.
    public let transactions: [Transaction]
    /// Policy that selects the authenticators.
    public let policy: Policy

    /// Makes a request.
    public init(
        header: OperationHeader, challenge: ServerChallenge, transactions: [Transaction] = [], policy: Policy
    ) {
        self.header = header
        self.challenge = challenge
        self.transactions = transactions
        self.policy = policy
    }
}

extension AuthenticationRequest: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .authentication, inRequest: true, rules: rules),
            challenge: try members.required("challenge", rules: rules),
            transactions: try members.optionalArray("transaction", rules: rules) ?? [],
            policy: try members.required("policy", rules: rules))
    }

    package var json: JSONValue {
        .object([
            "header": header.json, "challenge": challenge.json, "transaction": .list(transactions),
            "policy": policy.json,
        ])
    }
}

/// Response to an ``AuthenticationRequest``.
///
/// FIDO UAF Protocol 1.1, 3.5.5.
public struct AuthenticationResponse: Hashable, Sendable {
    /// Copy of the request's header.
    public let header: OperationHeader
    /// Final challenge parameters that the assertions are bound to.
    public let finalChallenge: FinalChallengeParameters
    /// One entry for each authenticator that signed; not empty.
    public let assertions: [AuthenticatorSignAssertion]

    /// Makes an answer.
    public init(
        header: OperationHeader, finalChallenge: FinalChallengeParameters, assertions: [AuthenticatorSignAssertion]
    ) {
        self.header = header
        self.finalChallenge = finalChallenge
        self.assertions = assertions
    }
}

/// Authentication assertion as an entry of a response.
///
/// FIDO UAF Protocol 1.1, 3.5.4. The assertion stays text until it is asked for.
public struct AuthenticatorSignAssertion: Hashable, Sendable {
    /// Assertion scheme; unsigned, so only a claim.
    public let scheme: AssertionScheme
    /// The base64url text of the assertion, as received.
    public let assertion: String
    /// Extensions of this entry.
    public let extensions: [MessageExtension]

    /// Carries an assertion as text.
    public init(scheme: AssertionScheme = .uafV1TLV, assertion: String, extensions: [MessageExtension] = []) {
        self.scheme = scheme
        self.assertion = assertion
        self.extensions = extensions
    }

    /// Carries the bytes of an assertion.
    public init(scheme: AssertionScheme = .uafV1TLV, octets: [UInt8], extensions: [MessageExtension] = []) {
        self.init(scheme: scheme, assertion: Base64URL.encode(octets), extensions: extensions)
    }
}

extension AuthenticationResponse {
    /// Reads a UAF message that holds exactly one response, which is of this kind.
    ///
    /// The version in its header is not judged. Throws ``MessageError``.
    package init(message: [UInt8], rules: DecodingRules) throws(MessageError) {
        self = try MessageEnvelope(message, rules: rules).onlyElement { element throws(JSONTypeError) in
            try Self(json: element, rules: rules)
        }
    }
}

extension AuthenticationResponse: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            header: try OperationHeader.read(from: members, of: .authentication, inRequest: false, rules: rules),
            finalChallenge: try members.required("fcParams", rules: rules),
            assertions: try members.requiredArray("assertions", rules: rules))
    }

    package var json: JSONValue {
        .object([
            "header": header.json, "fcParams": finalChallenge.json, "assertions": .array(assertions.map(\.json)),
        ])
    }
}

extension AuthenticatorSignAssertion: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            scheme: try members.required("assertionScheme", rules: rules),
            assertion: try members.requiredText("assertion"),
            extensions: try members.list("exts", rules: rules))
    }

    package var json: JSONValue {
        .object([
            "assertionScheme": scheme.json, "assertion": .string(assertion), "exts": .list(extensions),
        ])
    }

    /// The bytes of the assertion.
    ///
    /// Throws ``MessageError/invalidMember(path:_:)`` when the text is not base64url of 1 to 4096 bytes.
    public func octets(rules: DecodingRules = .strict) throws(MessageError) -> [UInt8] {
        try AssertionText.octets(of: assertion, limit: AuthenticationAssertion.byteLimit, rules: rules)
    }
}
