package import UAF

/// An account at the relying party.
package struct User: Sendable, Hashable {
    /// Whether the account may be used.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case active
        /// An administrator has locked the account; nothing succeeds until it is unlocked.
        case locked
    }

    package let id: UserID
    /// The name the user logs in with, unique.
    package let name: UserName
    /// The name other systems know the user by, unique; the `sub` of tokens.
    package let externalID: UserName
    package let status: Status
    package let createdAt: Timestamp
    /// Logins from before this time do not hold any more.
    ///
    /// It only grows: with a lock, a new password, the removal of a key or device by an administrator, and the end of
    /// all sessions. A user of a removed one's name begins with the time of creation.
    package let notBefore: Timestamp
    /// System that has enrolled the user; nil for a user of the operator.
    package let owner: Initiator?
    /// Key that seals what the audit says of the user; nil for one who is known by the audit alone.
    package let auditKey: AuditSubjectKey?

    package init(
        id: UserID, name: UserName, externalID: UserName, status: Status = .active, createdAt: Timestamp,
        notBefore: Timestamp = Timestamp(milliseconds: 0), owner: Initiator? = nil,
        auditKey: AuditSubjectKey? = nil
    ) {
        self.id = id
        self.name = name
        self.externalID = externalID
        self.status = status
        self.createdAt = createdAt
        self.notBefore = notBefore
        self.owner = owner
        self.auditKey = auditKey
    }

    /// The time of a login of this user that happens now, with these credentials.
    ///
    /// Clocks of processes differ and may be set back: a login that follows the end of all others holds in any case.
    package func authenticationTime(at now: Timestamp, with credentials: [RegisteredCredential] = []) -> Timestamp {
        credentials.reduce(max(now, notBefore)) { max($0, $1.notBefore) }
    }
}

/// The accounts.
package protocol UserRepository: Sendable {
    /// The user whose name or external id is `name`, byte by byte.
    func user(named name: UserName) async throws(ServerError) -> User?

    /// The same user, provided that there is a key behind the login (``ServerSnapshot/hasKey(behind:of:)``).
    func user(
        named name: UserName, withKeyBehind evidence: RequestAuthorization.Evidence
    ) async throws(ServerError) -> User?

    func user(_ id: UserID) async throws(ServerError) -> User?

    /// All users in the order of their names, at most `limit`, beginning after `name`.
    func users(after name: UserName?, limit: Int) async throws(ServerError) -> [User]

    /// Users that a search finds, in the order of the values that begin with its text.
    func users(
        found search: UserSearch, after place: UserSearch.Place?, limit: Int
    ) async throws(ServerError) -> UserSearch.Page

    func password(of id: UserID) async throws(ServerError) -> PasswordRecord?

    /// Adds a user; throws ``ServerError/userExists`` when a name is taken, and unless `mayBeAlike`
    /// ``ServerError/nameAlike(_:)`` when people would take it for another.
    func add(
        _ user: User, mayBeAlike: Bool, password: PasswordRecord?, event: AuditEvent
    ) async throws(ServerError)

    /// Sets or replaces a password and ends all logins; throws ``ServerError/userUnknown``.
    func setPassword(_ password: PasswordRecord, of id: UserID, event: AuditEvent) async throws(ServerError)

    /// Ends all logins of a user: sessions, tokens, and what was begun on the strength of either.
    ///
    /// Throws ``ServerError/userUnknown``.
    func endLogins(of id: UserID, event: AuditEvent) async throws(ServerError)

    /// Removes a user with credentials, password and sessions; throws ``ServerError/userUnknown``.
    func remove(_ id: UserID, event: AuditEvent) async throws(ServerError)
}

/// Event of a user's out-of-band ceremonies that is counted.
package enum UserIncident: String, Sendable, Hashable, CaseIterable {
    case push
    case wrongDigits = "wrong-digits"
    /// Wrong digits under a key of the user, which are kept until the user succeeds.
    case wrongDigitsInRow = "wrong-digits-in-row"
    /// The user reports that another person began the ceremony.
    case report
    /// The same of ceremonies that strangers have begun, which keep strangers off the user, and no system.
    case strangersPush = "strangers-push"
    case strangersWrongDigits = "strangers-wrong-digits"
    case strangersReport = "strangers-report"

    /// The same event of a ceremony that a stranger has begun.
    package var ofStranger: UserIncident {
        switch self {
        case .push, .strangersPush: .strangersPush
        case .wrongDigits, .strangersWrongDigits: .strangersWrongDigits
        case .report, .strangersReport: .strangersReport
        case .wrongDigitsInRow: .wrongDigitsInRow
        }
    }
}

/// Result of adding a user.
package enum UserAddition: Sendable, Hashable {
    case added
    /// A name or external id is taken.
    case taken
    /// The name looks like this one of another user.
    case alike(UserName)
}
