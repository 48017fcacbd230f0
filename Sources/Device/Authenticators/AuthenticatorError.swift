package import HardwareKeys
package import UAF

/// Why an authenticator did not do what it was asked for.
@nonexhaustive
package enum AuthenticatorError: Error, Hashable, Sendable {
    /// The PIN was wrong: ask again, after the cool-down.
    case wrongSecret(attemptsLeft: Int, coolDown: Duration)
    /// The PIN was neither checked nor counted, because a wait is running: ask again after it.
    case coolingDown(attemptsLeft: Int, coolDown: Duration)
    /// Too many wrong PINs in a row: delete the registration and register again.
    case lockedOut
    /// There is no such key for this application and caller.
    case accessDenied
    /// The key cannot be used any more: delete the registration and register again.
    case keyDisappearedPermanently
    /// This device has no such authenticator, or none that can be used: choose another.
    case notOffered
    /// The attestation that was asked for is not made here; only surrogate attestation is.
    case attestationNotSupported
    /// Store or hardware have no room for another key: delete a registration first.
    case storeFull
    /// The key could not be derived from the PIN (not enough memory); nothing was counted: try again.
    case derivationFailed
    /// The stored PIN record asks for a derivation outside the allowed cost; nothing was counted.
    case unacceptableCost(ScryptCostError)
    /// The credential store could not be read or written.
    case store(CredentialStoreError)
    /// The key vault could not be used.
    case vault(KeyVaultError)

    /// What an error of the vault means for a key.
    init(vault error: KeyVaultError) {
        self =
            switch error {
            case .unknownKey, .unrecoverable: .keyDisappearedPermanently
            case .hardwareFull: .storeFull
            default: .vault(error)
            }
    }

    /// What the authenticator command reports for this (FIDO UAF Authenticator Commands 1.1, 4.3).
    package var commandStatus: CommandStatus {
        switch self {
        case .wrongSecret, .accessDenied: .accessDenied
        case .coolingDown, .lockedOut: .userLockout
        case .keyDisappearedPermanently: .keyDisappearedPermanently
        case .attestationNotSupported: .attestationNotSupported
        case .storeFull: .insufficientResources
        case .notOffered, .derivationFailed, .unacceptableCost, .store, .vault: .unknownError
        }
    }
}
