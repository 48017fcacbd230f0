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
        /// Flaw of the last answer.
        var flaw: SecretFlaw?
        /// Protection of the secret when the user was asked last.
        var protection = ProtectionReport.unlocked
    }

    private enum State {
        /// Before `start`.
        case idle
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
        /// The end.
        case finished(Result<Void, Failure>)
    }

    private let parameters: Parameters
    private var state = State.idle

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, Failure> {
        guard case .idle = state else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let username = try AccountName.required(parameters.username)
            guard parameters.hasChanger else {
                throw .wrongUse(CeremonyFault.missingParameter(parameters.kind == .pin ? "pinChanger" : "passwordChanger"))
            }
            return enter(.loading(username), .loadDevice)
        } catch {
            return finish(.failure(Failure(error)))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, Failure> {
        switch state {
        case .idle: finish(.failure(failure(of: event)))
        case .loading(let username): afterLoading(username, event)
        case .readingProtection(let subject): afterReading(subject, event)
        case .asking(let subject): afterAnswer(subject, event)
        case .unlocking(let subject): afterUnlocking(subject, event)
        case .comparing(let subject): afterComparison(subject, event)
        case .judging(let subject): afterJudgement(subject, event)
        case .replacing(let subject): afterReplacement(subject, event)
        case .marking(let failure): finish(.failure(failure))
        case .finished(let result): .finish(result)
        }
    }

    // MARK: - The old secret

    private mutating func afterLoading(_ username: UserName, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(failure(of: event))) }
        let held = device.home(of: username)?.of(username).visibleKeys ?? []
        let keys = held.filter { $0.id.aaid.kind == parameters.kind.authenticatorKind }
        guard let key = keys.first(where: { $0.state == .registered }) else {
            let isGone = !keys.isEmpty
            return finish(.failure(isGone ? .fido(.keyDisappearedPermanently, cause: nil) : .notEnrolled))
        }
        let subject = Subject(username: username, credential: key.id)
        return enter(.readingProtection(subject), .readProtection(key.id))
    }

    private mutating func afterReading(_ subject: Subject, _ event: Event) -> Next {
        guard case .protection(let protection) = event else { return fail(subject, event) }
        return ask(subject, protection, subject.flaw)
    }

    private mutating func ask(_ subject: Subject, _ protection: ProtectionReport, _ flaw: SecretFlaw?) -> Next {
        guard protection != .lockedOut else { return finish(.failure(.locked)) }
        var subject = subject
        subject.flaw = flaw
        subject.protection = protection
        let question = ChangeQuestion(
            kind: parameters.kind, username: subject.username, protection: protection, flaw: flaw,
            limit: QuestionLimit(expiry: nil, coolDown: protection.coolDown))
        return enter(.asking(subject), .ask(question))
    }

    private mutating func afterAnswer(_ subject: Subject, _ event: Event) -> Next {
        guard case .answer(.given(let secrets)) = event else { return finish(.failure(failure(of: event))) }
        return enter(.unlocking(subject), .unlock(subject.credential, secrets))
    }

    private mutating func afterUnlocking(_ subject: Subject, _ event: Event) -> Next {
        guard case .unlocked(let outcome, let new) = event else { return fail(subject, event) }
        switch outcome {
        case .wrong(let protection): return ask(subject, protection, .wrong)
        case .ignored(let protection): return ask(subject, protection, subject.flaw)
        case .opened(let opened):
            return enter(.comparing(subject), .compare(Replacement(opened: opened, new: new)))
        }
    }

    // MARK: - The new secret

    private mutating func afterComparison(_ subject: Subject, _ event: Event) -> Next {
        guard case .compared(let replacement, let isSame) = event else { return fail(subject, event) }
        guard !isSame else { return ask(subject, .unlocked, .unchanged) }
        return enter(.judging(subject), .judge(replacement, QuestionLimit(expiry: nil)))
    }

    private mutating func afterJudgement(_ subject: Subject, _ event: Event) -> Next {
        guard case .judged(let flaw, let replacement) = event else { return fail(subject, event) }
        if let flaw { return ask(subject, .unlocked, flaw) }
        return enter(.replacing(subject), .replace(replacement))
    }

    private mutating func afterReplacement(_ subject: Subject, _ event: Event) -> Next {
        guard case .done = event else { return fail(subject, event) }
        return finish(.success(()))
    }

    // MARK: - Steps

    /// Failure for an event that does not advance the machine.
    private func failure(of event: Event) -> Failure {
        switch event {
        case .failed(let failure): Failure(failure)
        case .canceled, .answer(.canceled): .canceled
        case .answer(.timedOut): .fido(.userNotResponsive, cause: nil)
        default: .fido(.unknown, cause: nil)
        }
    }

    /// Ends an operation whose authenticator failed; a key that is gone is marked first.
    private mutating func fail(_ subject: Subject, _ event: Event) -> Next {
        let failure = failure(of: event)
        guard case .fido(.keyDisappearedPermanently, _) = failure else { return finish(.failure(failure)) }
        return enter(.marking(failure), .markUnusable(subject.credential))
    }

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func finish(_ result: Result<Void, Failure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}
