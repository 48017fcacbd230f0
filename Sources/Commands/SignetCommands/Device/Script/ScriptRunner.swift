import MobileAuthentication
import MobileAuthenticationTestKit
import VirtualDevice

/// Plays the steps of a script on a phone.
struct ScriptRunner {
    let phone: Phone

    /// Plays a step; a failure is a finding, not an error.
    func play(_ step: ScriptStep, number: Int) async -> ScriptFinding {
        let clock = ContinuousClock()
        let start = clock.now
        var failure: CommandFailure?
        do {
            try await perform(step)
        } catch {
            failure = CommandFailure(reporting: error)
        }
        let (seconds, attoseconds) = (clock.now - start).components
        return ScriptFinding(
            number: number, step: step, failure: failure,
            milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    private func perform(_ step: ScriptStep) async throws {
        let user = await Self.user(of: step)
        switch step.action {
        case .register:
            let right = try await AuthorizationRight(step.evidence, user: step.user, on: phone)
            var order = RegistrationOrder(authorization: right.provider)
            order.allowsPasscodeFallback = step.allowsPasscodeFallback
            order.keepsOnNewBiometrics = step.keepsOnNewBiometrics
            try await phone.register(step.user, order, as: user)
        case .authenticate: _ = try await phone.authenticate(step.user, as: user)
        case .changePin: try await phone.change(.pin, of: step.user, as: user)
        case .changePassword: try await phone.change(.password, of: step.user, as: user)
        case .deregister: try await phone.deregister(step.user, aaid(of: step), step.evidence, as: user)
        case .deleteLocal: try await phone.device.deleteLocally(step.user, aaid: aaid(of: step))
        case .list: try compare(step.accounts)
        case .wait: try await Task.sleep(for: step.pause)
        }
    }

    private func aaid(of step: ScriptStep) -> String? {
        step.authenticator.flatMap { phone.device.aaid(of: $0.kind) }
    }

    @MainActor
    private static func user(of step: ScriptStep) -> ScriptedUser {
        let user = ScriptedUser(authenticator: step.authenticator?.kind)
        if let secret = step.secret { (user.pin, user.password) = (secret, secret) }
        (user.newPin, user.newPassword) = (step.newSecret, step.newSecret)
        for reaction in step.reactions { user.next(reaction) }
        return user
    }

    private func compare(_ expected: [String]?) throws(CommandFailure) {
        guard let expected else { return }
        let present = phone.client.localData.accounts.map(\.username)
        guard Set(present.map { Array($0.utf8) }) != Set(expected.map { Array($0.utf8) }) else { return }
        let names = present.isEmpty ? "nobody" : present.map(ForeignText.name).joined(separator: ", ")
        throw .refused("OtherAccounts", "registered on this phone: \(names)")
    }
}
