package import MobileAuthentication
package import Octets

/// Phone of the page: the SDK, whose questions wait for the person at the page.
///
/// One operation runs at a time, and one question of it is shown. The first answer counts; a page that is
/// closed leaves the question to the time that the SDK gives it.
package actor PagePhone {
    /// Longest wait for a change of the state.
    static let patience: Duration = .seconds(25)
    /// Most push messages that wait; of more the oldest go.
    static let pushLimit = 32

    let client: any MobileAuthenticationClient
    let ports: any PhonePagePorts
    var question: PhonePageQuestion?
    var accountChoice: PhonePageAccountChoice?
    /// Outcome of the last operation.
    var notice: PhonePageNotice?
    /// Operations that wait: from push messages first.
    var pending: [PhonePagePending] = []
    /// Whether everything was deleted.
    var isLost = false

    private(set) var revision: UInt64 = 1
    private var running: Task<Void, Never>?
    private var hasConsented = false
    /// Whether the person has declined, and whether they have reported it; nil while they have not.
    private var denial: Bool?
    private var questionCount: UInt64 = 0
    private var watchers: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var watcherCount: UInt64 = 0

    /// Phone with the SDK `client`, which is registered and used by no other code meanwhile.
    package init(client: any MobileAuthenticationClient, ports: any PhonePagePorts) {
        self.client = client
        self.ports = ports
    }

    var isBusy: Bool { running != nil }

    /// Shows a push message among what waits; `text` is its envelope.
    package func arrived(_ text: Sensitive<String>, title: String?) {
        guard !isLost, let payload = try? ports.payload(of: text.reveal()) else { return }
        pending.insert(PhonePagePending(payload: payload, title: title), at: 0)
        if let oldest = pending.indices.filter({ pending[$0].beganAt == nil }).dropFirst(Self.pushLimit).first {
            pending.remove(at: oldest)
        }
        changed()
    }

    /// Tells every page that the state is another one.
    func changed() {
        revision += 1
        let waiting = watchers.values
        watchers = [:]
        for watcher in waiting { watcher.resume() }
    }

    /// Begins an operation; its questions are shown until it ends.
    ///
    /// Throws ``PhonePageRefusal/notNow`` while another one runs.
    func begin(
        _ work: @escaping @Sendable (InteractionStream) async throws -> PhonePageNotice
    ) throws(PhonePageRefusal) {
        guard running == nil, !isLost else { throw .notNow }
        (notice, denial, hasConsented, accountChoice) = (nil, nil, false, nil)
        let questions = InteractionStream()
        running = Task {
            let asking = Task { for await step in questions { ask(step) } }
            let outcome: PhonePageNotice
            do {
                outcome = try await work(questions)
            } catch {
                outcome = PhonePageNotice(error, denial: denial)
            }
            questions.finish()
            await asking.value
            end(outcome)
        }
        changed()
    }

    func cancel() { running?.cancel() }

    private func end(_ outcome: PhonePageNotice) {
        (running, question, notice) = (nil, nil, outcome)
        changed()
    }

    private func ask(_ step: InteractionStep) {
        if case .credentialsAccepted = step { return }
        questionCount += 1
        let asked = PhonePageQuestion(number: questionCount, step, hasConsented: hasConsented, at: .now)
        // What was accepted once is not asked again when there is nothing to choose.
        if hasConsented, asked.choices.count == 1, asked.choose(0) { return }
        question = asked
        changed()
    }

    /// Takes the question with this number off the page, for the answer that came.
    func take(_ number: UInt64?) throws(PhonePageRefusal) -> PhonePageQuestion {
        guard let asked = question, asked.number == number else { throw .notNow }
        return asked
    }

    func answered() {
        question = nil
        changed()
    }

    /// Notes that the person accepts what is shown, and goes on to the choice.
    func consent(to asked: PhonePageQuestion) {
        hasConsented = true
        if asked.choices.count == 1, asked.choose(0) { return answered() }
        questionCount += 1
        question = PhonePageQuestion(number: questionCount, asked.step, hasConsented: true, at: .now)
        changed()
    }

    func decline(_ asked: PhonePageQuestion, isReported: Bool) {
        denial = isReported
        asked.decline(isReported: isReported)
        answered()
    }

    /// Keeps the old PIN or password of a change and asks for the new one.
    func keep(old secret: SecretBytes, of asked: PhonePageQuestion) {
        questionCount += 1
        question = asked.followed(by: questionCount, old: secret)
        changed()
    }

    /// Waits for another state than `known`, at most ``patience``.
    func change(from known: UInt64?) async {
        guard known == revision else { return }
        watcherCount += 1
        let number = watcherCount
        let alarm = Task {
            try? await Task.sleep(for: Self.patience)
            wake(number)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { watchers[number] = $0 }
        } onCancel: {
            // Runs on this actor, and so after the wait has begun.
            Task { await self.wake(number) }
        }
        alarm.cancel()
    }

    private func wake(_ number: UInt64) { watchers.removeValue(forKey: number)?.resume() }
}
