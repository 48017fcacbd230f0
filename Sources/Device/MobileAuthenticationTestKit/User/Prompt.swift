import MobileAuthentication

/// One question that the SDK has asked the user.
public struct Prompt: Hashable, Sendable {
    /// Kind of a question, by the interaction that asks it.
    public enum Kind: Hashable, Sendable, CaseIterable {
        case selectAccount
        case linkChannel
        case confirmDeregistration
        case selectAuthenticator
        case enrollPin
        case verifyPin
        case changePin
        case enrollPassword
        case verifyPassword
        case changePassword
        case verifyBiometric
        case verifyDevicePasscode
        case verifyFingerprint
    }

    /// Protection of the secret when the question came.
    public enum Protection: Hashable, Sendable {
        /// The last attempt was right, or there was none.
        case unlocked
        /// The last attempt was wrong; no answer is checked during the cool-down.
        case lastAttemptFailed(remainingTries: Int, coolDownInSeconds: Int)
        /// No answer is checked any more.
        case lockedOut
    }

    /// Kind of the question: the entry or choice that was asked for.
    public let kind: Kind
    /// Choices that the server accepts: AAIDs for a selection of an authenticator, user names for one of an account,
    /// and for the loss of registrations.
    public var choices: [String] = []
    /// Protection of the secret, where attempts are counted.
    public var protection: Protection?
    /// Refusal of the last answer, in words.
    public var refusal: String?
    /// Number of digits of the other screen that are asked for.
    public var digitCount: Int?
    /// The text of a transaction.
    public var transaction: String?

    init(_ kind: Kind) { self.kind = kind }
}

extension Prompt.Protection {
    init(_ status: PinAuthenticatorProtectionStatus) {
        self =
            switch status {
            case .Unlocked: .unlocked
            case .LastAttemptFailed(let tries, let coolDown):
                .lastAttemptFailed(remainingTries: tries, coolDownInSeconds: coolDown)
            case .LockedOut: .lockedOut
            @unknown default: .lockedOut
            }
    }

    init(_ status: PasswordAuthenticatorProtectionStatus) {
        self =
            switch status {
            case .Unlocked: .unlocked
            case .LastAttemptFailed(let tries, let coolDown):
                .lastAttemptFailed(remainingTries: tries, coolDownInSeconds: coolDown)
            case .LockedOut: .lockedOut
            @unknown default: .lockedOut
            }
    }
}
