import Authenticators
import UAF

/// State machine of the change of a PIN or a password, which no server takes part in.
///
/// The old secret is verified first and counts as an attempt; then comes the comparison of the two, then the policy.
package struct SecretChangeMachine<Values: CarriedValues>: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Void, Failure>

    /// The key whose secret is to be replaced.
    private struct Subject {
        let username: UserName
        let credential: CredentialID
        var flaw: SecretFlaw?
        /// Protection of the secret when the user was asked last.
        var protection = ProtectionReport.unlocked
    }

    private enum State {
        /// The keys of the device are being read.
        case loading(UserName)
        /// The attempts left are being read.
        case readingProtection(Subject)
        /// The user enters the old and the new secret.
        case asking(Subject)
        /// The old secret is being checked.
        case unlocking(Subject)
        /// The new secret is being compared with the old one.
        case comparing(Subject)
        /// The new secret is being judged.
        case judging(Subject)
        /// The key is being put under the new secret.
        case replacing(Subject)
        /// A key that can never work again is being marked.
        case marking(Failure)
    }

    private let parameters: Parameters
    private var progress = Progress<State, Effect, Void, Failure>()

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, Failure> {
        guard progress.isIdle else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let username = try AccountName.required(parameters.username)
            guard parameters.hasChanger else {
                let name = parameters.kind == .pin ? "pinChanger" : "passwordChanger"
                throw .wrongUse(CeremonyFault.missingParameter(name))
            }
            return progress.enter(.loading(username), .loadDevice)
        } catch {
            return progress.fail(Failure(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, Failure> {
        guard let state = progress.state else { return progress.stay(Failure(event.failure)) }
        return switch state {
        case .loading(let username): afterLoading(username, event)
        case .readingProtection(let subject): afterReading(subject, event)
        case .asking(let subject): afterAnswer(subject, event)
        case .unlocking(let subject): afterUnlocking(subject, event)
        case .comparing(let subject): afterComparison(subject, event)
        case .judging(let subject): afterJudgement(subject, event)
        case .replacing(let subject): afterReplacement(subject, event)
        case .marking(let failure): progress.fail(failure)
        }
    }

    // MARK: - The old secret

    private mutating func afterLoading(_ username: UserName, _ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(Failure(event.failure)) }
        let held = device.home(of: username)?.of(username).visibleKeys ?? []
        let keys = held.filter { $0.id.aaid.kind == parameters.kind.authenticatorKind }
        guard let key = keys.first(where: { $0.state == .registered }) else {
            let isGone = !keys.isEmpty
            return progress.fail(isGone ? .fido(.keyDisappearedPermanently, cause: nil) : .notEnrolled)
        }
        let subject = Subject(username: username, credential: key.id)
        return progress.enter(.readingProtection(subject), .readProtection(key.id))
    }

    private mutating func afterReading(_ subject: Subject, _ event: Event) -> Next {
        guard case .protection(let protection) = event else { return fail(subject, event) }
        return ask(subject, protection, subject.flaw)
    }

    private mutating func ask(_ subject: Subject, _ protection: ProtectionReport, _ flaw: SecretFlaw?) -> Next {
        guard protection != .lockedOut else { return progress.fail(.locked) }
        var subject = subject
        subject.flaw = flaw
        subject.protection = protection
        let question = ChangeQuestion(
            kind: parameters.kind, username: subject.username, protection: protection, flaw: flaw,
            limit: QuestionLimit(expiry: nil, coolDown: protection.coolDown))
        return progress.enter(.asking(subject), .ask(question))
    }

    private mutating func afterAnswer(_ subject: Subject, _ event: Event) -> Next {
        guard case .answer(.given(let secrets)) = event else { return progress.fail(Failure(event.failure)) }
        return progress.enter(.unlocking(subject), .unlock(subject.credential, secrets))
    }

    private mutating func afterUnlocking(_ subject: Subject, _ event: Event) -> Next {
        guard case .unlocked(let outcome, let new) = event else { return fail(subject, event) }
        switch outcome {
        case .wrong(let protection): return ask(subject, protection, .wrong)
        case .ignored(let protection): return ask(subject, protection, subject.flaw)
        case .opened(let opened):
            return progress.enter(.comparing(subject), .compare(Replacement(opened: opened, new: new)))
        }
    }

    // MARK: - The new secret

    private mutating func afterComparison(_ subject: Subject, _ event: Event) -> Next {
        guard case .compared(let replacement, let isSame) = event else { return fail(subject, event) }
        guard !isSame else { return ask(subject, .unlocked, .unchanged) }
        return progress.enter(.judging(subject), .judge(replacement, QuestionLimit(expiry: nil)))
    }

    private mutating func afterJudgement(_ subject: Subject, _ event: Event) -> Next {
        guard case .judged(let flaw, let replacement) = event else { return fail(subject, event) }
        if let flaw { return ask(subject, .unlocked, flaw) }
        return progress.enter(.replacing(subject), .replace(replacement))
    }

    private mutating func afterReplacement(_ subject: Subject, _ event: Event) -> Next {
        guard case .done = event else { return fail(subject, event) }
        return progress.finish(.success(()))
    }

    // MARK: - Steps

    /// Ends an operation whose authenticator failed; a key that is gone is marked first.
    private mutating func fail(_ subject: Subject, _ event: Event) -> Next {
        let failure = Failure(event.failure)
        guard case .fido(.keyDisappearedPermanently, _) = failure else { return progress.fail(failure) }
        return progress.enter(.marking(failure), .markUnusable(subject.credential))
    }
}
