import MobileAuthentication

/// A screen that takes secrets; it cancels once more when it goes away, which must do nothing.
@MainActor
final class AppCredentialPresenter {
    private var parameter: CredentialParameter

    init(parameter: CredentialParameter) { self.parameter = parameter }

    var info: String {
        var lines: [String] = []
        switch parameter.pinStatus {
        case .Unlocked, .none: break
        case .some(let status): lines.append(status.localizedDescription)
        }
        if case .LastAttemptFailed(let remainingTries, let coolDown)? = parameter.passwordStatus {
            lines.append("\(remainingTries) \(coolDown)")
        }
        if let error = parameter.lastRecoverableError { lines.append(error.localizedDescription) }
        return lines.joined(separator: "\n")
    }

    var isLocked: Bool { parameter.pinStatus == .LockedOut || parameter.passwordStatus == .LockedOut }

    var preview: PinAuthenticatorProtectionStatus {
        PinAuthenticatorProtectionStatus.LastAttemptFailed(remainingTries: 3, coolDownTimeInSeconds: 0)
    }

    func confirm(old: String, new: String) {
        parameter.pinEnrollment?.pin(new)
        parameter.pinChange?.pins(old, new)
        parameter.pinVerification?.verify(old)
        parameter.passwordEnrollment?.password(new)
        parameter.passwordChange?.passwords(old, new)
        parameter.passwordVerification?.verify(old)
    }

    func cancel() {
        parameter.pinEnrollment?.cancel()
        parameter.pinChange?.cancel()
        parameter.pinVerification?.cancel()
        parameter.passwordEnrollment?.cancel()
        parameter.passwordChange?.cancel()
        parameter.passwordVerification?.cancel()
    }
}
