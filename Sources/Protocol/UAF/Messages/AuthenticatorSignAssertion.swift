import Octets

/// Carries one authentication assertion inside a response.
///
/// FIDO UAF Protocol 1.1, 3.5.4. The assertion stays text until somebody asks for it.
public struct AuthenticatorSignAssertion: Hashable, Sendable {
    /// How the assertion is coded; unsigned, so only a claim.
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
