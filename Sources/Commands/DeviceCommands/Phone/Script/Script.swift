import CommandSupport
import MobileAuthentication
import MobileAuthenticationTestKit
import Octets
import StrictJSON
import UAFClient

struct ScriptRunner {
    let phone: Phone

    /// Runs a step; a failure becomes part of the result and is not thrown.
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
            var parameters = RegistrationParameters(authorization: right.provider)
            parameters.allowsPasscodeFallback = step.allowsPasscodeFallback
            parameters.keepsOnNewBiometrics = step.keepsOnNewBiometrics
            try await phone.register(step.user, parameters, as: user)
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
        if let secret = step.secret?.reveal() { (user.pin, user.password) = (secret, secret) }
        (user.newPin, user.newPassword) = (step.newSecret?.reveal(), step.newSecret?.reveal())
        for reaction in step.reactions { user.next(reaction) }
        return user
    }

    private func compare(_ expected: [String]?) throws(CommandFailure) {
        guard let expected else { return }
        let present = phone.client.localData.accounts.map(\.username)
        guard Set(present.map { Array($0.utf8) }) != Set(expected.map { Array($0.utf8) }) else { return }
        let names = present.isEmpty ? "no user" : present.map(ForeignText.name).joined(separator: ", ")
        throw .refused("OtherAccounts", "registered on this phone: \(names)")
    }
}

/// Step of a script: an action with its parameters and its expected outcome.
struct ScriptStep: Sendable {
    /// Name of the outcome of a step that succeeds.
    static let good = "ok"

    let action: ScriptAction
    var user = ""
    var authenticator: AuthenticatorChoice?
    var secret: Sensitive<String>?
    var newSecret: Sensitive<String>?
    /// Credential that authorizes a registration or deregistration at the server.
    var evidence: AuthorizationRight.Evidence?
    var allowsPasscodeFallback = false
    var keepsOnNewBiometrics = false
    /// Reactions of the user to the questions, in their order; later questions are answered correctly.
    var reactions: [Reaction] = []
    var pause = Duration.zero
    /// Exact set of users that have to be registered.
    var accounts: [String]?
    /// Expected outcome: `ok`, the failure's own name, the name of its FIDO error code, or the server's UAF status.
    var expectation = Self.good
}

enum ScriptAction: String, CaseIterable, Sendable {
    case register
    case authenticate
    case changePin = "pin-change"
    case changePassword = "password-change"
    case deregister
    case deleteLocal = "delete-local"
    case list
    case wait
}

struct ScriptFinding: Sendable {
    let number: Int
    let step: ScriptStep
    let failure: CommandFailure?
    let milliseconds: Int

    /// All names of the outcome that a script may expect: `ok`, or the names of the failure, the most specific first.
    private var names: [String] {
        guard let failure else { return [ScriptStep.good] }
        let numbers = [failure.uafStatus].compactMap { $0.map(String.init) }
        return [failure.fidoName, failure.code].compactMap(\.self) + numbers
    }

    var isAsExpected: Bool { names.contains(step.expectation) }

    var outcome: String { names.first ?? ScriptStep.good }

    var line: String {
        let subject = step.user.isEmpty || step.action == .list || step.action == .wait ? "" : " \(step.user)"
        let ending = isAsExpected ? outcome : "\(outcome), expected \(step.expectation)"
        let reason = isAsExpected ? "" : failure.map { ": \($0.message)" } ?? ""
        return "\(isAsExpected ? "✔" : "✘") \(number) \(step.action.rawValue)\(subject): \(ending)\(reason)"
    }

    var json: JSONValue {
        .object(
            JSONObject([
                "number": .integer(number), "do": .string(step.action.rawValue), "user": .string(step.user),
                "expected": .string(step.expectation), "outcome": .string(outcome),
                "asExpected": .bool(isAsExpected), "milliseconds": .integer(milliseconds),
                "message": failure.map { .string($0.message) },
            ]))
    }
}
