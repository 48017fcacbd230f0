import MobileAuthentication

/// Question of the SDK that the page shows, with the handler that takes the answer.
struct PhonePageQuestion: Sendable {
    /// Number, by which an answer names its question.
    let number: UInt64
    let step: InteractionStep
    /// Whether the person has yet to accept what is shown, before they choose.
    let needsConsent: Bool
    /// Time until which no secret is checked; nil for none.
    let coolDownEnd: ContinuousClock.Instant?
    /// Old PIN or password of a change, which is typed first.
    var oldSecret: SecretBytes?

    /// Takes a question that is shown from `now` on.
    ///
    /// An account is chosen, and a text confirmed, only after the person has accepted; once per operation.
    init(number: UInt64, _ step: InteractionStep, hasConsented: Bool, at now: ContinuousClock.Instant) {
        self.init(
            number: number, step, hasConsented: hasConsented,
            coolDownEnd: Self.attempts(step).flatMap { $0.seconds > 0 ? now + .seconds($0.seconds) : nil })
    }

    private init(
        number: UInt64, _ step: InteractionStep, hasConsented: Bool, coolDownEnd: ContinuousClock.Instant?
    ) {
        self.number = number
        self.step = step
        self.coolDownEnd = coolDownEnd
        needsConsent = !hasConsented && Self.isDecision(step)
    }

    /// Choices in the order in which they are shown: names of accounts or AAIDs; empty for other questions.
    var choices: [String] {
        switch step {
        case .selectAccount(let context, _):
            var names: [String] = []
            for authenticator in context.authenticators {
                for account in authenticator.registration.registeredAccounts
                where context.isPolicyCompliant(username: account.username, aaid: authenticator.aaid)
                    && !names.contains(account.username)
                {
                    names.append(account.username)
                }
            }
            return names
        case .selectAuthenticator(let context, _):
            return context.authenticators.map(\.aaid).filter { context.isPolicyCompliant(authenticatorAaid: $0) }
        default: return []
        }
    }

    /// Attempts that are left and seconds to wait after a wrong secret; nil after none.
    static func attempts(_ step: InteractionStep) -> (left: Int, seconds: Int)? {
        switch step {
        case .verifyPin(let context, _): attempts(context.authenticatorProtectionStatus)
        case .changePin(let context, _): attempts(context.authenticatorProtectionStatus)
        case .verifyPassword(let context, _): attempts(context.authenticatorProtectionStatus)
        case .changePassword(let context, _): attempts(context.authenticatorProtectionStatus)
        default: nil
        }
    }

    private static func attempts(_ status: PinAuthenticatorProtectionStatus) -> (left: Int, seconds: Int)? {
        if case .LastAttemptFailed(let tries, let seconds) = status { (tries, seconds) } else { nil }
    }

    private static func attempts(_ status: PasswordAuthenticatorProtectionStatus) -> (left: Int, seconds: Int)? {
        if case .LastAttemptFailed(let tries, let seconds) = status { (tries, seconds) } else { nil }
    }

    private static func isDecision(_ step: InteractionStep) -> Bool {
        switch step {
        case .selectAccount: true
        case .selectAuthenticator(let context, _): context.transactionConfirmationData != nil
        default: false
        }
    }
}

extension PhonePageQuestion {
    /// Chooses by the number in ``choices``; false where there is no such choice.
    func choose(_ number: Int) -> Bool {
        let choices = choices
        guard choices.indices.contains(number) else { return false }
        switch step {
        case .selectAccount(_, let handler): handler.username(choices[number])
        case .selectAuthenticator(_, let handler): handler.aaid(choices[number])
        default: return false
        }
        return true
    }

    /// Accepts what only has to be agreed to; false for other questions.
    func agree() -> Bool {
        switch step {
        case .linkChannel(let context, let handler):
            guard context.mode == .compare else { return false }
            handler.confirm()
        case .confirmDeregistration(_, let handler): handler.confirm()
        case .verifyBiometric(_, let handler): handler.verify()
        case .verifyFingerprint(_, let handler): handler.listenForOsCredentials()
        case .verifyDevicePasscode(_, let handler): handler.verify()
        default: return false
        }
        return true
    }

    /// Gives the digits of the other screen; false where none are asked for.
    func give(digits: String) -> Bool {
        guard case .linkChannel(let context, let handler) = step, context.mode == .typed else { return false }
        handler.digits(digits)
        return true
    }

    /// Declines; `isReported` tells the server that the person did not begin it, where the question can.
    func decline(isReported: Bool) {
        switch step {
        case .selectAccount(_, let handler): isReported ? handler.cancel(reporting: .unexpected) : handler.cancel()
        case .selectAuthenticator(_, let handler):
            isReported ? handler.cancel(reporting: .unexpected) : handler.cancel()
        case .linkChannel(_, let handler): isReported ? handler.cancel(reporting: .unexpected) : handler.cancel()
        case .confirmDeregistration(_, let handler): handler.cancel()
        case .enrollPin(_, let handler): handler.cancel()
        case .verifyPin(_, let handler): handler.cancel()
        case .changePin(_, let handler): handler.cancel()
        case .enrollPassword(_, let handler): handler.cancel()
        case .verifyPassword(_, let handler): handler.cancel()
        case .changePassword(_, let handler): handler.cancel()
        case .verifyBiometric(_, let handler): handler.cancel()
        case .verifyDevicePasscode(_, let handler): handler.cancel()
        case .verifyFingerprint(_, let handler): handler.cancel()
        case .credentialsAccepted: break
        @unknown default: break
        }
    }
}

extension PhonePageQuestion {
    /// Answer to a typed secret.
    enum SecretAnswer: Sendable, Hashable {
        /// The SDK has it.
        case given
        /// It is the old one of a change, and the new one is to be typed.
        case needsNew
        /// No secret is asked for, or not yet.
        case notNow
    }

    /// The same question with another number, after the old secret of a change was typed.
    func followed(by number: UInt64, old secret: SecretBytes) -> PhonePageQuestion {
        var copy = PhonePageQuestion(number: number, step, hasConsented: true, coolDownEnd: nil)
        copy.oldSecret = secret
        return copy
    }

    /// Gives a secret; during a cool-down none is taken, because none would be checked.
    func give(_ secret: SecretBytes, at now: ContinuousClock.Instant) -> SecretAnswer {
        if let coolDownEnd, now < coolDownEnd { return .notNow }
        switch step {
        case .enrollPin(_, let handler): handler.pin(secret)
        case .enrollPassword(_, let handler): handler.password(secret)
        case .verifyPin(_, let handler): handler.verify(secret)
        case .verifyPassword(_, let handler): handler.verify(secret)
        case .changePin(_, let handler):
            guard let oldSecret else { return .needsNew }
            handler.pins(oldSecret, secret)
        case .changePassword(_, let handler):
            guard let oldSecret else { return .needsNew }
            handler.passwords(oldSecret, secret)
        default: return .notNow
        }
        return .given
    }
}
