import Foundation

// Snapshots of an operation, presented as the contexts of its questions. What PIN and password differ in are the types of the
// protection status and of the refusal.

/// Context of the question for a secret.
struct VerificationQuestionState<Status: Encodable & Sendable>: UserVerificationContext {
    let snapshot: AuthenticatorSnapshot
    let authenticatorProtectionStatus: Status

    var authenticator: any Authenticator { snapshot }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
        case authenticatorProtectionStatus
    }
}

extension VerificationQuestionState: PinUserVerificationContext where Status == PinAuthenticatorProtectionStatus {
    var lastRecoverableError: PinUserVerificationError? {
        switch authenticatorProtectionStatus {
        case .Unlocked: nil
        case .LastAttemptFailed, .LockedOut: .InvalidPin(description: SDKText.wrongPin.localized, cause: nil)
        }
    }
}

extension VerificationQuestionState: PasswordUserVerificationContext
where Status == PasswordAuthenticatorProtectionStatus {
    var lastRecoverableError: PasswordUserVerificationError? {
        switch authenticatorProtectionStatus {
        case .Unlocked: nil
        case .LastAttemptFailed, .LockedOut: .InvalidPassword(description: SDKText.wrongPassword.localized, cause: nil)
        }
    }
}

/// Context of the question for a new secret.
struct EnrollmentQuestionState<Refusal: LocalizedError & Sendable>: Encodable, Sendable {
    let username: Username
    let lastRecoverableError: Refusal?

    private enum CodingKeys: String, CodingKey {
        case username
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(username, forKey: .username)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}

extension EnrollmentQuestionState: PinEnrollmentContext where Refusal == PinEnrollmentError {}

extension EnrollmentQuestionState: PasswordEnrollmentContext where Refusal == PasswordEnrollmentError {}

/// Context of the question for the old and the new secret.
struct ChangeQuestionState<Status: Encodable & Sendable, Refusal: LocalizedError & Sendable>: Encodable, Sendable {
    let username: Username
    let authenticatorProtectionStatus: Status
    let lastRecoverableError: Refusal?

    private enum CodingKeys: String, CodingKey {
        case username
        case authenticatorProtectionStatus
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(username, forKey: .username)
        try container.encode(authenticatorProtectionStatus, forKey: .authenticatorProtectionStatus)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}

extension ChangeQuestionState: PinChangeContext
where Status == PinAuthenticatorProtectionStatus, Refusal == PinChangeRecoverableError {}

extension ChangeQuestionState: PasswordChangeContext
where Status == PasswordAuthenticatorProtectionStatus, Refusal == PasswordChangeRecoverableError {}

/// Context of the question whether the operating system may ask for a finger, a face or the passcode.
struct PresenceQuestionState: BiometricUserVerificationContext, DevicePasscodeUserVerificationContext {
    let snapshot: AuthenticatorSnapshot

    var authenticator: any Authenticator { snapshot }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
    }
}
