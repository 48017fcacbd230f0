package import UAF

/// Switches for the points where the specification leaves a choice, or where practice and conformance tests differ.
package struct VerificationProfile: Hashable, Sendable {
    package var decoding: DecodingRules = .strict
    /// Encodings of a key that pass under ALG_KEY_RSA_2048_DER.
    package var rsaKeys: VerificationKey.Tolerance = .acceptsSubjectPublicKeyInfo
    /// Whether KeyIDs have exactly 32 bytes unless the model is second-factor roaming.
    package var requiresKeyIDOf32Bytes = false
    /// Whether an authenticator below the version in its metadata is refused (1493) instead of flagged.
    package var refusesOutdatedAuthenticators = false
    /// Registrations with a higher registration counter are refused (1492); nil refuses none.
    package var registrationCounterLimit: UInt32?

    package static let product = VerificationProfile()

    /// Profile that the FIDO conformance tests expect.
    package static let conformance: VerificationProfile = {
        var profile = VerificationProfile()
        profile.rsaKeys = .strict
        profile.requiresKeyIDOf32Bytes = true
        return profile
    }()
}
