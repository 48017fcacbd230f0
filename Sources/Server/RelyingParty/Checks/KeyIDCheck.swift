import UAF

/// Check 24 of registration: the KeyID has an allowed length and is new.
enum KeyIDCheck {
    private static let strictByteCount = 32

    static func requireLength(
        _ keyID: KeyID, model: AuthenticatorModel, profile: VerificationProfile
    ) throws(RefusalReason) {
        let isExact = profile.requiresKeyIDOf32Bytes && !model.isSecondFactorRoaming
        let allowed = isExact ? Self.strictByteCount...Self.strictByteCount : KeyID.specifiedByteCounts
        guard allowed.contains(keyID.octets.count) else { throw .keyIDLength }
    }

    /// A KeyID is unique within its AAID over all users.
    static func requireNew(_ id: CredentialID, known: [CredentialID]) throws(RefusalReason) {
        guard !known.contains(id) else { throw .alreadyRegistered }
    }
}
