package import HardwareKeys

/// Errors of the authenticator commands.
@nonexhaustive
package enum AuthenticatorError: Error, Hashable, Sendable {
    /// The PIN or password was wrong: ask again, after the cool-down.
    case wrongSecret(attemptsLeft: Int, coolDown: Duration)
    /// The PIN or password was neither checked nor counted, because a wait is running: ask again after it.
    case coolingDown(attemptsLeft: Int, coolDown: Duration)
    /// Too many wrong PINs or passwords in a row: take the registration off server and device, and register again.
    case lockedOut
    /// The new PIN or password is the old one: ask for another.
    case unchangedSecret
    /// The operating system did not verify the user; nothing was counted here.
    case presence(UserPresenceError)
    /// The authenticator is verified in another way: a PIN for a password, or a typed secret for a finger.
    case wrongUse
    /// There is no such key for this application and caller.
    case accessDenied
    /// The key cannot be used any more: take the registration off server and device, and register again.
    case keyDisappearedPermanently
    /// The assertion could not be written, because key or signature do not have the form of their algorithm: try again.
    /// Nothing was lost.
    case notEncodable
    /// The device has no lock, and a key of this kind needs one: let the user set one. Nothing was made.
    case noDeviceLock
    /// This device has no such authenticator, or none that can be used: choose another.
    case notOffered
    /// The options for the user verification exclude each other in this profile: leave one out.
    case conflictingOptions
    /// Keys of this algorithm are not made here: choose another, or another vault.
    case algorithmNotSupported
    /// The attestation that was asked for is not made here; only surrogate attestation is.
    case attestationNotSupported
    /// Store or hardware have no room for another key: delete a registration first.
    case storeFull
    /// The key could not be derived from what was typed (not enough memory); nothing was counted: try again.
    case derivationFailed
    /// The stored record asks for a derivation outside the allowed cost; nothing was counted.
    case unacceptableCost(ScryptCostError)
    case store(CredentialStoreError)
    case vault(KeyVaultError)

    /// Maps an error of the vault to its consequence for the key; whatever has none becomes ``vault(_:)``.
    init(vault error: KeyVaultError) {
        self =
            switch error {
            case .unknownKey, .unrecoverable, .userPresence(.enrollmentChanged): .keyDisappearedPermanently
            case .userPresence(let refusal): .presence(refusal)
            case .hardwareFull: .storeFull
            case .notInitialized, .alreadyInitialized, .duplicateKey, .unsupportedRequirements, .wrongUse, .wrongSecret,
                .lockedOut, .invalidPublicKey, .exposed, .damaged, .hardwareUnavailable, .hardwareBusy,
                .hardwareOccupied,
                .deviceLocked, .ownerAuthorizationRequired, .hardwareFailed, .newerFormat, .busy, .storageFailed:
                .vault(error)
            }
    }
}
