/// Reason to refuse an attestation of Android's key store.
@nonexhaustive
package enum AndroidRefusal: Error, Hashable, Sendable {
    /// The certificates end at no configured root.
    case path(PathRefusal)
    /// A certificate of the path is on the list of revoked ones.
    case revoked
    /// The certificate of the key has no extension 1.3.6.1.4.1.11129.2.1.17.
    case extensionMissing
    /// Another certificate of the path has the extension too: a key of an application has issued the one of the key.
    case extensionRepeated
    case malformed
    /// The schema of the extension is older or newer than the known ones.
    case unknownVersion
    /// The statement was made for another registration.
    case wrongChallenge
    /// The key is not the registered one.
    case foreignKey
    /// The statement or the key lies in software, or not in the hardware that is demanded.
    case securityLevel
    /// Not a key on P-256.
    case keyKind
    /// The key was not generated in the hardware.
    case origin
    /// The key may be used for something else than signing.
    case purpose
    /// The key does not sign with SHA-256, or with more than that.
    case digest
    /// The key can be used without a user, or by every application.
    case access
    /// The key remains usable for a time after the user was verified.
    case authenticationTimeout
    /// The hardware does not delete keys for good although that is demanded.
    case rollbackResistance
    /// The statement does not say how the device was started.
    case rootOfTrustMissing
    /// The device runs software that its maker has not signed, or its loader is unlocked.
    case bootState
    /// The security patches are older than allowed, or not dated.
    case patchLevel
    /// The key belongs to an application that is not one of ours.
    case foreignApplication

    package var word: String {
        guard case .path(let refusal) = self else { return "\(self)" }
        return "path.\(refusal)"
    }
}
