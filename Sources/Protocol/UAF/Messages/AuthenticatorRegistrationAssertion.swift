import Octets

/// Registration assertion as an entry of a response.
///
/// FIDO UAF Protocol 1.1, 3.4.2. The assertion stays text until it is asked for: a server skips an entry whose
/// content is unusable without refusing its neighbours.
public struct AuthenticatorRegistrationAssertion: Hashable, Sendable {
    /// Assertion scheme; unsigned, so only a claim.
    public let scheme: AssertionScheme
    /// The base64url text of the assertion, as received.
    public let assertion: String
    /// Required PNG encoding of images for the authenticator's display, when it states that itself.
    public let displayCharacteristics: [DisplayPNGCharacteristics]
    /// Extensions of this entry.
    public let extensions: [MessageExtension]

    /// Carries an assertion as text.
    public init(
        scheme: AssertionScheme = .uafV1TLV, assertion: String,
        displayCharacteristics: [DisplayPNGCharacteristics] = [], extensions: [MessageExtension] = []
    ) {
        self.scheme = scheme
        self.assertion = assertion
        self.displayCharacteristics = displayCharacteristics
        self.extensions = extensions
    }

    /// Carries the bytes of an assertion.
    public init(
        scheme: AssertionScheme = .uafV1TLV, octets: [UInt8],
        displayCharacteristics: [DisplayPNGCharacteristics] = [], extensions: [MessageExtension] = []
    ) {
        self.init(
            scheme: scheme, assertion: Base64URL.encode(octets), displayCharacteristics: displayCharacteristics,
            extensions: extensions)
    }
}
