import BackendAPI
import Octets
package import ServerCore
import UAF

/// Begin of a ceremony for a sign-in page, in place of the one before; a code that no phone has taken is renewed.
package struct SignInStarter: SignInStarting {
    /// Time from the request for a push to its answer, so that a real push and a decoy take equally long.
    static let pushTime: Duration = .seconds(1)

    let settings: OpenIDSettings.Provider
    /// Digits of a push, real or not.
    let digitCount: Int
    let users: any UserRepository
    let confirmations: any ConfirmationService
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let random: any RandomSource
    let sessions: SignInPageSessions

    /// Places the order and moves the session on; see ``SignInStarting/begin(_:in:client:)``.
    package func begin(
        _ channel: SignInChannel, in entry: OpenSignIn, client context: ClientContext
    ) async throws(ServerError) -> BegunConfirmation {
        try await requireRoom(in: entry)
        switch channel {
        case .code: return try await beginCode(in: entry, context)
        case .push(let username):
            let start = clock.now()
            let begun = try await push(to: username, for: entry, context)
            guard try await sessions.advance(entry.session.confirming(begun.id), from: entry.session) else {
                try await confirmations.cancel(begun.id, for: .client(entry.client.id), client: context)
                throw .forbidden
            }
            try await padResponseTime(since: start, entry)
            return begun
        }
    }

    /// Begins a code and moves the session on in one transaction: of two requests that a page sends at the same time, one begins.
    ///
    /// It is shown for one rotation, and good for one more.
    private func beginCode(
        in entry: OpenSignIn, _ context: ClientContext
    ) async throws(ServerError) -> BegunConfirmation {
        let rotation = settings.codeRotation
        var order = order(.code(nil), for: entry, lifetime: rotation * 2)
        order.renewed = entry.session.stage.ceremony
        var begun = try await confirmations.begin(order, client: context) {
            id, transaction throws(ServerTransactionFailure) in
            try transaction.advance(entry.session.confirming(id), from: entry.session)
        }
        begun.renewsAt = begun.expiresAt - rotation
        return begun
    }

    /// Waits until ``pushTime`` is over, so that a push answers as late as a decoy, and within the same bound.
    private func padResponseTime(since start: Timestamp, _ entry: OpenSignIn) async throws(ServerError) {
        let left = Self.pushTime - (clock.now() - start)
        guard left > .zero else { return }
        _ = try await confirmations.state(
            of: decoy.id, for: .client(entry.client.id), unlike: .waiting, atMost: left,
            pretendedUntil: clock.now() + SignInPageSessions.pushLifetime)
    }

    private var decoy: BegunConfirmation { SignInDecoy.begin(at: clock.now(), digitCount: digitCount, random) }

    /// Throws ``ServerError/forbidden`` when the session has ended, and when its ceremony is confirmed already, and
    /// ``ServerError/tooManyOperations(retryAfter:)`` when the page has begun as many as it may.
    private func requireRoom(in entry: OpenSignIn) async throws(ServerError) {
        guard entry.session.round < SignInPageSessions.roundLimit(settings) else {
            throw .tooManyOperations(retryAfter: settings.sessionLifetime)
        }
        switch entry.session.stage {
        case .open: return
        case .finished: throw .forbidden
        case .confirming:
            if case .confirmed = try await sessions.state(of: entry, unlike: nil, atMost: .zero) { throw .forbidden }
        }
    }

    private func order(
        _ channel: ConfirmationOrder.Channel, for entry: OpenSignIn, lifetime: Duration
    ) -> ConfirmationOrder {
        var order = ConfirmationOrder(initiator: .client(entry.client.id), channel: channel)
        order.isForPage = true
        order.text = sessions.text(of: entry)
        if entry.session.parameters.text == nil { order.signIn = channel.audited }
        order.session = entry.session.id.text
        order.notification = entry.client.name
        order.lifetime = lifetime
        order.assurance = entry.session.parameters.assurance.min()
        if case .push = channel { order.linking = .typed }
        return order
    }

    /// Pushes to a user by name.
    ///
    /// Pages and names are counted before the user is looked up. Whatever would tell an existing user from an unknown one (no
    /// phone, asked too often, quiet hours, a push service that refuses the message) gets the answer of a push that no
    /// phone takes, as late as a push that a service has taken within ``pushTime``.
    private func push(
        to username: String, for entry: OpenSignIn, _ context: ClientContext
    ) async throws(ServerError) -> BegunConfirmation {
        let (now, name) = (clock.now(), UserName(username))
        // Per page, and then per name: one page cannot ask all users, nor have all names written down.
        let keys = ["push-of-page\0\(entry.session.id.text)"] + (name.map { ["push\0\($0.text)"] } ?? [])
        let hasRoom = try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Bool in
            for key in keys.map({ AttemptKey(of: $0.utf8) }) {
                let start = now - SignInPageSessions.pushWindow
                let counted = try transaction.countAttempt(key, since: start, at: now)
                guard counted.count <= SignInPageSessions.pushLimit else { return false }
            }
            return true
        }
        guard hasRoom else { throw .tooManyOperations(retryAfter: SignInPageSessions.pushWindow) }
        guard let name, let user = try await users.user(named: name), user.status == .active else { return decoy }
        do throws(ServerError) {
            return try await confirmations.begin(
                order(.push(user, nil), for: entry, lifetime: SignInPageSessions.pushLifetime), client: context)
        } catch {
            switch error {
            case .policyViolation, .tooManyOperations, .quietHours, .undelivered:
                return decoy
            default: throw error
            }
        }
    }
}
