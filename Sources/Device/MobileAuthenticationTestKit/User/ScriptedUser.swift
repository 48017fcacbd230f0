public import MobileAuthentication

/// A user who answers every question of the SDK by a script, and remembers what was asked.
///
/// Pass one wherever an operation wants an enroller, verifier, changer or selector. Without a script the user approves
/// all questions with the secrets from ``init(pin:password:authenticator:clock:)``:
///
/// ```swift
/// let user = ScriptedUser(pin: "482915", clock: phone.clock)
/// user.next(.wrongSecret, times: 2)
/// _ = try await phone.client.operations.authentication.username("anna")
///     .authenticatorSelector(user).pinUserVerifier(user).perform()
/// let asked = user.promptCount(.verifyPin)  // Three times.
/// ```
@MainActor
public final class ScriptedUser {
    /// The PIN that the user knows.
    public var pin: String
    /// The password that the user knows.
    public var password: String
    /// The PIN after the next change.
    public var newPin: String?
    /// The password after the next change.
    public var newPassword: String?
    /// The authenticator to choose; nil for the first that the server accepts.
    public var authenticator: AuthenticatorAaid?
    /// The account to choose; nil for the first that the server accepts.
    public var username: String?
    /// The digits that the user reads on the screen where an operation was begun; nil when there is no such screen.
    public var digits: String?
    /// Policy for new PINs; nil for as many digits as ``pin`` has, common ones included.
    public var pinRules: (any PinPolicy)?
    /// Policy for new passwords; nil for any password.
    public var passwordRules: (any PasswordPolicy)?
    /// All questions so far, in order.
    public internal(set) var prompts: [Prompt] = []
    /// Number of entries that were accepted before the server had answered.
    public internal(set) var acceptedEntryCount = 0

    private var script: [Reaction] = []
    private let clock: VirtualClock?
    /// Questions that are kept without an answer.
    private var kept: [any Sendable] = []

    /// A user who knows secrets; waits of the script take the time of `clock`, or real time without one.
    public nonisolated init(
        pin: String = "482915", password: String = "correct horse", authenticator: AuthenticatorAaid? = nil,
        clock: VirtualClock? = nil
    ) {
        self.pin = pin
        self.password = password
        self.authenticator = authenticator
        self.clock = clock
    }

    /// Scripts the reaction to the next questions that have no reaction yet.
    public func next(_ reaction: Reaction, times: Int = 1) {
        script += repeatElement(reaction, count: times)
    }

    /// Number of times that a question was asked.
    public func promptCount(_ kind: Prompt.Kind) -> Int { prompts.count { $0.kind == kind } }

    /// Releases every question that was kept without an answer.
    public func release() { kept = [] }

    /// Notes a question and answers it as the script says; selections are approved unless the script is about them.
    func react(to prompt: Prompt, _ question: Question) {
        prompts.append(prompt)
        perform(nextReaction(to: prompt), question)
    }

    private func nextReaction(to prompt: Prompt) -> Reaction {
        guard let first = script.first else { return .approve }
        let isSelection = [.selectAuthenticator, .selectAccount, .linkChannel, .confirmDeregistration].contains(
            prompt.kind)
        // A wrong secret is no reaction to a selection: it waits for the question after it.
        if isSelection, first.isAboutSecrets { return .approve }
        return script.removeFirst()
    }

    private func perform(_ reaction: Reaction, _ question: Question) {
        switch reaction {
        case .approve: question.approve()
        case .deny: question.deny()
        case .denyAndReport: if let report = question.report { report() } else { question.deny() }
        case .wrongSecret: question.enter(nil)
        case .enter(let text): question.enter(text)
        case .approveAndRepent:
            question.approve()
            question.deny()
            question.approve()
        case .drop: break
        case .vanish: kept.append(question)
        case .after(let wait, let later):
            Task { [clock] in
                if let clock { try? await clock.sleep(for: wait) } else { try? await Task.sleep(for: wait) }
                self.perform(later, question)
            }
        }
    }
}

extension Reaction {
    fileprivate var isAboutSecrets: Bool {
        switch self {
        case .wrongSecret: true
        case .after(_, let later): later.isAboutSecrets
        default: false
        }
    }
}
