package import Octets
package import ServerCore
package import UAF

/// Login by name and password, for trials and for systems without another login.
package final class PasswordLoginService: Sendable {
    /// Longest password in bytes.
    package static let passwordByteCounts = 1...1024

    /// A login that succeeded.
    package struct Login: Sendable {
        /// The name to register under.
        package let externalID: UserName
        package let cookie: SessionCookie
        /// Cookie by which the browser is known from now on, and its end; nil when it is known already.
        package let known: (value: Sensitive<String>, expiresAt: Timestamp)?
    }

    private let keys: KeyService
    private let random: any RandomSource
    private let users: any UserRepository
    private let sessions: SessionService
    private let clock: any WallClock
    private let log: ServiceLog
    private let gate: PasswordGate
    /// Hashed instead when there is no such user, so that the answer takes as long.
    private let standIn: PasswordRecord

    init(
        gate: PasswordGate, standIn: PasswordRecord, users: any UserRepository, sessions: SessionService,
        clock: any WallClock, log: ServiceLog, keys: KeyService, random: any RandomSource
    ) {
        self.keys = keys
        self.random = random
        self.gate = gate
        self.standIn = standIn
        self.users = users
        self.sessions = sessions
        self.clock = clock
        self.log = log
    }

    /// Checks a password and begins a session.
    ///
    /// Throws ``ServerError/unauthorized`` for a wrong name, a wrong password and a locked user alike,
    /// ``ServerError/throttled(retryAfter:)`` after too many of them, and ``ServerError/overloaded(retryAfter:)`` when
    /// more passwords wait to be checked than can be.
    package func logIn(
        name givenName: String, password givenPassword: String, client: ClientContext
    ) async throws(ServerError) -> Login {
        let password = PasswordGate.Password(givenPassword)
        defer { password.withOctets { _ in } }
        guard let name = UserName(givenName), Self.passwordByteCounts.contains(password.count) else {
            throw .unauthorized
        }
        let decoy = try keys.decoy()
        let browser = KnownBrowser(client.knownBrowser, of: name, decoy)
        let attempt = PasswordThrottle.Attempt(name: name, address: browser?.source ?? client.network)
        try await gate.requireRoom(for: attempt)
        // The time before the password is read: a new password ends the login that was checked against the old one.
        let begun = clock.now()
        let user = try await users.user(named: name)
        let record = try await self.record(of: user)
        do throws(ServerError) {
            try await gate.requireMatch(password, record ?? standIn, known: record != nil, attempt)
        } catch {
            if error == .unauthorized { countFailure(user, client) }
            throw error
        }
        guard let user, user.status == .active else {
            countFailure(user, client)
            throw .unauthorized
        }
        var event = AuditEvent(.signedIn, at: clock.now(), client: client).about(user)
        event.channel = .password
        let cookie = try await sessions.begin(
            for: user, method: .password, authenticatedAt: user.authenticationTime(at: begun), event: event)
        let known = browser == nil ? KnownBrowser(of: name, decoy, random).cookie : nil
        return Login(
            externalID: user.externalID, cookie: cookie,
            known: known.map { (value: $0, expiresAt: clock.now() + KnownBrowser.lifetime) })
    }

    private func record(of user: User?) async throws(ServerError) -> PasswordRecord? {
        guard let user else { return nil }
        return try await users.password(of: user.id)
    }

    /// Any client can try, so it is only counted; whether there is such a user makes no difference to the time it
    /// takes.
    private func countFailure(_ user: User?, _ client: ClientContext) {
        log.countUnsigned("wrong password", from: client, user: user?.id)
    }
}
