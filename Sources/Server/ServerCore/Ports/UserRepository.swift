package import UAF

/// The accounts.
package protocol UserRepository: Sendable {
    /// The user whose name or external id is `name`, byte by byte.
    func user(named name: UserName) async throws(ServerError) -> User?

    /// The same user, provided that one of `registrations` is an active credential of theirs; none asks for nothing.
    func user(named name: UserName, registeredAs registrations: [RegistrationID]) async throws(ServerError) -> User?

    /// The user with this identity.
    func user(_ id: UserID) async throws(ServerError) -> User?

    /// All users in the order of their names, at most `limit`, beginning after `name`.
    func users(after name: UserName?, limit: Int) async throws(ServerError) -> [User]

    /// The stored password of a user, nil when there is none.
    func password(of id: UserID) async throws(ServerError) -> PasswordRecord?

    /// Adds a user; throws ``ServerError/userExists`` when a name is taken.
    func add(_ user: User, password: PasswordRecord?, event: AuditEvent) async throws(ServerError)

    /// Sets or replaces a password and ends all logins; throws ``ServerError/userUnknown``.
    func setPassword(_ password: PasswordRecord, of id: UserID, event: AuditEvent) async throws(ServerError)

    /// Locks a user and ends all logins, or unlocks the user; throws ``ServerError/userUnknown``.
    func setStatus(_ status: User.Status, of id: UserID, event: AuditEvent) async throws(ServerError)

    /// Ends all logins of a user: sessions, tokens, and what was begun on the strength of either.
    ///
    /// Throws ``ServerError/userUnknown``.
    func endLogins(of id: UserID, event: AuditEvent) async throws(ServerError)

    /// Removes a user with credentials, password and sessions; throws ``ServerError/userUnknown``.
    func remove(_ id: UserID, event: AuditEvent) async throws(ServerError)
}
