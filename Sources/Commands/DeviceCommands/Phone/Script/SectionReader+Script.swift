import MobileAuthentication
import MobileAuthenticationTestKit
import Octets
import StrictYAML

/// Reading of scripts from YAML; a key that the action of its step does not use is a mistake.
extension SectionReader {
    private static let pauses = Duration.zero...Duration.seconds(3_600)

    mutating func readScript() -> [ScriptStep] {
        var standard = ScriptStep(action: .list)
        readUser(into: &standard)
        readEntry(into: &standard)
        readEvidence(into: &standard)
        let steps = sectionList("steps") { $0.readStep(standard) }.compactMap(\.self)
        if !has("steps") { report("steps", .missing) }
        return steps
    }

    /// Reads a step; keys that it leaves out have the values of `standard`.
    private mutating func readStep(_ standard: ScriptStep) -> ScriptStep? {
        let action = value("do") { setting throws(Setting.Mismatch) in try setting.asChoice(ScriptAction.self) }
        if !has("do") { report("do", .missing) }
        var step = ScriptStep(
            action: action ?? .list, user: standard.user, authenticator: standard.authenticator,
            secret: standard.secret, evidence: standard.evidence)
        step.expectation = text("expect") ?? ScriptStep.good
        guard let action else { return readEverything(into: step) }
        readKeys(of: action, into: &step)
        return step
    }

    private mutating func readKeys(of action: ScriptAction, into step: inout ScriptStep) {
        switch action {
        case .register:
            readUser(into: &step)
            readEntry(into: &step)
            readEvidence(into: &step)
            readRegistration(into: &step)
        case .authenticate:
            readUser(into: &step)
            readEntry(into: &step)
        case .changePin, .changePassword:
            readUser(into: &step)
            readChange(into: &step)
        case .deregister:
            readUser(into: &step)
            readEntry(into: &step)
            // The script's login cannot authorize a deregistration, so without a token the user authenticates.
            step.evidence = nil
            readEvidence(into: &step)
        case .deleteLocal:
            readUser(into: &step)
            // Without the key all keys of the user are removed, whatever authenticator the rest of the script uses.
            step.authenticator = readAuthenticator()
        case .list: step.accounts = texts("accounts")
        case .wait:
            step.pause = duration("for", in: Self.pauses, default: .zero)
            if !has("for") { report("for", .missing) }
        }
        if action != .list, action != .wait, action != .deleteLocal { readReactions(into: &step) }
        let needsUser = action != .list && action != .wait
        if needsUser, step.user.isEmpty, !has("user") { report("user", .missing) }
    }

    /// Reads the keys of every action, so that a step with an unknown action is reported for that mistake alone.
    private mutating func readEverything(into step: ScriptStep) -> ScriptStep? {
        var step = step
        readUser(into: &step)
        readEntry(into: &step)
        readEvidence(into: &step)
        readRegistration(into: &step)
        _ = secret("new-secret")
        readReactions(into: &step)
        _ = texts("accounts")
        _ = duration("for", in: Self.pauses, default: .zero)
        return nil
    }

    // MARK: - Groups of keys

    private mutating func readUser(into step: inout ScriptStep) {
        if let user = text("user") { step.user = user }
    }

    private mutating func readAuthenticator() -> AuthenticatorChoice? {
        value("authenticator") { setting throws(Setting.Mismatch) in try setting.asChoice(AuthenticatorChoice.self) }
    }

    private mutating func readEntry(into step: inout ScriptStep) {
        step.authenticator = readAuthenticator() ?? step.authenticator
        step.secret = secret("secret").map(Sensitive.init) ?? step.secret
    }

    private mutating func readChange(into step: inout ScriptStep) {
        step.secret = secret("secret").map(Sensitive.init) ?? step.secret
        step.newSecret = secret("new-secret").map(Sensitive.init)
        if !has("new-secret"), !has("new-secret-file") { report("new-secret", .missing) }
    }

    private mutating func readEvidence(into step: inout ScriptStep) {
        let password = secret("login-password")
        let token = secret("token")
        if password != nil, token != nil { report("token", .notAllowed(rule: "give a password or a token, not both")) }
        if let password { step.evidence = .password(SecretBytes(password)) }
        if let token { step.evidence = .token(Sensitive(token)) }
    }

    private mutating func readRegistration(into step: inout ScriptStep) {
        step.allowsPasscodeFallback = flag("allow-passcode-fallback", default: false)
        step.keepsOnNewBiometrics = flag("keep-on-new-biometrics", default: false)
    }

    private mutating func readReactions(into step: inout ScriptStep) {
        step.reactions =
            values("reactions") { setting throws(Setting.Mismatch) in try setting.asReaction() } ?? []
    }

    /// Reads a secret that is in the script itself, or in a file that it names.
    private mutating func secret(_ key: String) -> String? {
        let given = text(key)
        guard let path = secretFilePath(key + "-file") else { return given }
        guard given == nil else {
            report(key, .notAllowed(rule: "give \(key) or \(key)-file, not both"))
            return nil
        }
        guard let content = try? SecretFile(path: path).text() else {
            report(key + "-file", .unreadableFile(path: path))
            return nil
        }
        return content
    }
}

extension Setting {
    private static let rule = """
        must be one of approve, deny, wrong-secret, drop, vanish, "enter TEXT", or "after 2s" and one of these
        """

    func asReaction() throws(Mismatch) -> Reaction {
        guard let reaction = Reaction(words: try asText()) else { throw .rule(Self.rule) }
        return reaction
    }
}

extension Reaction {
    fileprivate init?(words: String) {
        switch words {
        case "approve": self = .approve
        case "deny": self = .deny
        case "wrong-secret": self = .wrongSecret
        case "drop": self = .drop
        case "vanish": self = .vanish
        default:
            let parts = words.split(separator: " ", maxSplits: 1)
            guard let verb = parts.first, let rest = parts.dropFirst().first else { return nil }
            switch verb {
            case "enter": self = .enter(String(rest))
            case "after":
                let parts = rest.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let wait = Duration(configurationText: String(parts[0])),
                    let later = Reaction(words: String(parts[1]))
                else { return nil }
                self = .after(wait, later)
            default: return nil
            }
        }
    }
}
