import UAF

/// Check 24 of registration: the KeyID has an allowed length, and is new within its AAID over all users.
enum KeyIDCheck {
    private static let strictByteCount = 32

    static func require(
        _ id: CredentialID, model: AuthenticatorModel, registered: Set<CredentialID>, profile: VerificationProfile
    ) throws(RefusalReason) {
        let isStrict = profile.requiresKeyIDOf32Bytes && !model.isSecondFactorRoaming
        let allowed = isStrict ? strictByteCount...strictByteCount : KeyID.specifiedByteCounts
        guard allowed.contains(id.keyID.octets.count) else { throw .keyIDLength }
        guard !registered.contains(id) else { throw .alreadyRegistered }
    }
}
