import Authenticators
public import Foundation

/// The files of this device and the counter of its chip do not belong together: no key is used.
///
/// It comes as the cause of an error `Unknown`, of the initializer or of an operation. Only a vault with a counter tells
/// older copies of its files; keys in software never end with this.
public enum StoredKeysError: LocalizedError, Hashable, Sendable {
    /// The files are older than the last change: a copy was put back.
    case olderCopy
    /// The file `.ledger.sst` is gone, by which the chip tells the newest files.
    case lostLedger
    /// The counter was removed from the chip or made anew, so that nothing tells the newest files any more.
    case lostCounter

    /// Finds it in an error of the store or of an authenticator; nil for any other error.
    package init?(behind error: any Error) {
        switch error {
        case CredentialStoreError.rolledBack, AuthenticatorError.store(.rolledBack): self = .olderCopy
        case CredentialStoreError.lostLedger, AuthenticatorError.store(.lostLedger): self = .lostLedger
        case CredentialStoreError.lostCounter, AuthenticatorError.store(.lostCounter): self = .lostCounter
        default: return nil
        }
    }

    /// Says what happened.
    public var errorDescription: String? {
        switch self {
        case .olderCopy: "The stored keys are older than their last use: a copy was put back."
        case .lostLedger: "The file that tells the newest state of the stored keys (.ledger.sst) is gone."
        case .lostCounter: "The counter in the secure hardware that guards the stored keys is gone."
        }
    }

    /// Names the ways out.
    public var recoverySuggestion: String? {
        let anew = "delete the stored keys and register again; the server removes the old registration."
        return switch self {
        case .olderCopy: "Put the newest files back. Without them \(anew)"
        case .lostLedger: "Put that file back, in its newest state. Without it \(anew)"
        case .lostCounter: anew.prefix(1).uppercased() + anew.dropFirst()
        }
    }
}
