import Octets
package import ServerCore
package import StrictJSON
package import UAF

/// Administration of accounts.
package struct UserService: Sendable {
    private let users: any UserRepository
    private let credentials: any CredentialRepository
    package let transactions: any ServerTransactionRunner
    private let passwordCost: PasswordHashCost
    package let clock: any WallClock
    private let random: any RandomSource

    package init(
        storage: Storage, passwordCost: PasswordHashCost, clock: any WallClock, random: any RandomSource
    ) {
        users = storage.users
        credentials = storage.credentials
        transactions = storage.transactions
        self.passwordCost = passwordCost
        self.clock = clock
        self.random = random
    }

    /// Adds a user, whom `owner` enrols; without an external id the user gets a random one.
    ///
    /// Throws ``ServerError/invalidName``, ``ServerError/invalidPassword``, ``ServerError/userExists`` or, unless
    /// `mayBeAlike`, ``ServerError/nameAlike(_:)``.
    @discardableResult
    package func add(
        name: String, externalID: String? = nil, password: String? = nil, owner: Initiator? = nil,
        mayBeAlike: Bool = false
    ) async throws(ServerError) -> User {
        let id = UserID(from: random)
        let now = clock.now()
        guard let name = Self.newName(name) else { throw .invalidName }
        guard let external = UserName(externalID ?? id.text), Self.isNew(external) else { throw .invalidName }
        let user = User(
            id: id, name: name, externalID: external, createdAt: now, owner: owner,
            auditKey: AuditSubjectKey(from: random))
        let event = AuditEvent(.userAdded, at: now).about(user)
        try await users.add(user, mayBeAlike: mayBeAlike, password: try password.map(hashed), event: event)
        return user
    }

    /// The user with this name or external id; throws ``ServerError/userUnknown``.
    package func user(named name: String) async throws(ServerError) -> User {
        guard let user = try await users.user(named: try validName(name)) else { throw .userUnknown }
        return user
    }

    /// Users in the order of their names, beginning after `name`.
    package func list(after name: UserName? = nil, limit: Int = 100) async throws(ServerError) -> [User] {
        try await users.users(after: name, limit: limit)
    }

    /// A page of at most `limit` users in the order of their names, beginning after `name`.
    package func page(after name: UserName? = nil, limit: Int) async throws(ServerError) -> Page {
        let found = try await list(after: name, limit: limit + 1)
        let users = Array(found.prefix(limit))
        return Page(users: users, next: found.count > limit ? users.last?.name : nil)
    }

    package func attributes(of user: User) async throws(ServerError) -> UserAttributes {
        let id = user.id
        let record = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.attributes(of: id)
        }
        return record?.attributes ?? UserAttributes()
    }

    /// Changes attributes of a user, and says what is wrong with a value; then nothing is changed.
    ///
    /// `event` is the audit record; nil writes that an administrator did it. Throws ``ServerError/userUnknown``.
    package func change(
        _ changes: [UserAttributes.Name: JSONValue], of user: User, event: AuditEvent? = nil
    ) async throws(ServerError) -> UserAttributeFault? {
        let change = ChangeAttributes(changes, of: user, event: event ?? self.event(.attributesChanged, user))
        let id = user.id
        let result = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> Result<Bool, UserAttributeFault>? in
            guard try transaction.lockUser(id) != nil else { return nil }
            return try change.run(in: transaction)
        }
        switch result {
        case nil: throw .userUnknown
        case .success?: return nil
        case .failure(let fault)?: return fault
        }
    }

    package func credentials(of user: User) async throws(ServerError) -> [RegisteredCredential] {
        try await credentials.credentials(of: user.id)
    }

    /// Sets or replaces a password, and ends all logins.
    package func setPassword(_ password: String, named name: String) async throws(ServerError) {
        let user = try await user(named: name)
        try await users.setPassword(try hashed(password), of: user.id, event: event(.passwordSet, user))
    }

    /// Ends all sessions and tokens of a user, and what was begun with them; throws ``ServerError/userUnknown``.
    package func endSessions(ofUserNamed name: String) async throws(ServerError) {
        let user = try await user(named: name)
        try await users.endLogins(of: user.id, event: event(.loginsEnded, user))
    }

    private func event(_ kind: AuditEvent.Kind, _ user: User) -> AuditEvent {
        AuditEvent(kind, at: clock.now()).about(user)
    }

    private func validName(_ text: String) throws(ServerError) -> UserName {
        guard let name = Self.name(text) else { throw .invalidName }
        return name
    }

    /// The name that a new user gets, by the rule of ``ShownText``; nil for a text that breaks it.
    package static func newName(_ text: String) -> UserName? {
        ShownText.line(text, UserName.scalarCounts).flatMap { UserName($0) }
    }

    /// Whether a name or external id may be one of a new user.
    static func isNew(_ name: UserName) -> Bool { ShownText.isLine(name.text, UserName.scalarCounts) }

    /// A name that a user may have, also from before the rule of new ones.
    package static func name(_ text: String) -> UserName? {
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        return UserName(text)
    }

    private func hashed(_ password: String) throws(ServerError) -> PasswordRecord {
        var octets = Array(password.utf8)
        defer { SecretOctets.wipe(&octets) }
        guard PasswordLoginService.passwordByteCounts.contains(octets.count) else { throw .invalidPassword }
        return try PasswordRecord(hashing: octets, cost: passwordCost, random: random)
    }
}

extension ServerTransaction {
    /// Locks a user and ends all logins, or unlocks the user, with a record: nothing from before the lock comes back.
    package func setStatus(
        _ status: User.Status, of user: User, recordedAt now: Timestamp
    ) throws(ServerTransactionFailure) {
        if status == .locked { try endLogins(of: user.id, at: now) }
        try set(status, of: user.id)
        try append(AuditEvent(status == .locked ? .userLocked : .userUnlocked, at: now).about(user))
    }

    /// Switches credentials of a user off or on again, with a record of each, and returns those that the user has.
    package func setStatus(
        _ status: RegisteredCredential.Status, of ids: [CredentialID], ownedBy user: User, recordedAt now: Timestamp
    ) throws(ServerTransactionFailure) -> [CredentialID] {
        let changed = try setStatus(status, of: ids, ownedBy: user.id, at: now)
        let event = AuditEvent(status == .active ? .credentialEnabled : .credentialDisabled, at: now).about(user)
        for id in changed { try append(event.about(id)) }
        return changed
    }
}

extension UserService {
    /// Page of a list of users.
    package struct Page: Sendable {
        /// The users in the order of their names.
        package let users: [User]
        /// Name behind which the next page begins; nil for the last page.
        package let next: UserName?

        package init(users: [User], next: UserName?) {
            self.users = users
            self.next = next
        }
    }
}
