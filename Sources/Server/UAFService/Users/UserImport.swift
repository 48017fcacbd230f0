package import ServerCore
package import StrictJSON
package import UAF

/// Import of accounts and their attributes: all lines in one transaction, or none.
package struct UserImport: Sendable {
    /// One line: a user, who is added when there is none of the name, and attributes to set.
    package struct Line: Sendable {
        /// Number of the line in its file, from 1.
        package let number: Int
        package let name: UserName
        /// External ID of a new user, else the one that the user has to have; nil: a new one gets a random one.
        package let externalID: UserName?
        package let changes: [UserAttributes.Name: JSONValue]

        package init(
            number: Int, name: UserName, externalID: UserName?, changes: [UserAttributes.Name: JSONValue]
        ) {
            self.number = number
            self.name = name
            self.externalID = externalID
            self.changes = changes
        }
    }

    /// Line that is not imported, and why; a value of the file is never in it.
    package struct BadLine: Sendable, Hashable {
        package let number: Int
        package let reason: String

        package init(number: Int, reason: String) {
            self.number = number
            self.reason = reason
        }
    }

    /// Numbers of the users, by what became of them, and the lines that were bad.
    package struct Outcome: Sendable, Hashable {
        package fileprivate(set) var added = 0
        package fileprivate(set) var changed = 0
        package fileprivate(set) var unchanged = 0
        package fileprivate(set) var badLines: [BadLine] = []

        fileprivate init() {}
    }

    private let transactions: any ServerTransactionRunner
    private let clock: any WallClock
    private let random: any RandomSource

    package init(_ services: ServerServices) {
        transactions = services.storage.transactions
        clock = services.ports.clock
        random = services.ports.random
    }

    /// Imports lines; with a bad one nothing is written, unless `skipsBadLines` leaves it out.
    package func run(_ lines: [Line], skipsBadLines: Bool) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let entries = lines.map { (line: $0, id: UserID(from: random), key: AuditSubjectKey(from: random)) }
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Outcome in
            var outcome = Outcome()
            let refusal = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> Outcome? in
                for entry in entries {
                    let step = ImportedLine(line: entry.line, id: entry.id, auditKey: entry.key, now: now)
                    switch try step.run(in: transaction) {
                    case .added: outcome.added += 1
                    case .changed: outcome.changed += 1
                    case .unchanged: outcome.unchanged += 1
                    case .bad(let reason):
                        outcome.badLines.append(BadLine(number: entry.line.number, reason: reason))
                    }
                }
                return outcome.badLines.isEmpty || skipsBadLines ? nil : outcome
            }
            return refusal ?? outcome
        }
    }
}

/// One line of an import in its transaction.
private struct ImportedLine {
    enum Result {
        case added, changed, unchanged
        case bad(String)
    }

    let line: UserImport.Line
    /// Identity and key of a new user.
    let id: UserID
    let auditKey: AuditSubjectKey
    let now: Timestamp

    func run(in transaction: any ServerTransaction) throws(ServerTransactionFailure) -> Result {
        if let known = try transaction.user(named: line.name) {
            guard known.name == line.name else { return .bad("username is the external id of another user") }
            guard line.externalID == nil || line.externalID == known.externalID else {
                return .bad("the user has another external id")
            }
            return try change(known, in: transaction, isNew: false)
        }
        guard UserService.isNew(line.name), line.externalID.map(UserService.isNew) ?? true else {
            return .bad(
                "username and external_id of a new user have 1 to 128 visible characters, and no blanks at their ends or in a row"
            )
        }
        guard let external = line.externalID ?? UserName(id.text) else {
            return .bad("no external_id could be made: give one")
        }
        let user = User(id: id, name: line.name, externalID: external, createdAt: now, auditKey: auditKey)
        var attributes = UserAttributes()
        do throws(UserAttributeFault) {
            try attributes.apply(line.changes)
        } catch {
            return .bad(error.words)
        }
        switch try transaction.insert(user, mayBeAlike: false) {
        case .added: break
        case .taken: return .bad("external_id is the name or external id of another user")
        case .alike:
            return .bad("people would take username for another one: add the user with users add --although-alike")
        }
        try transaction.append(event(.userAdded, user))
        return try change(user, in: transaction, isNew: true)
    }

    private func change(
        _ user: User, in transaction: any ServerTransaction, isNew: Bool
    ) throws(ServerTransactionFailure) -> Result {
        let change = ChangeAttributes(line.changes, of: user, event: event(.attributesChanged, user))
        switch try change.run(in: transaction) {
        case .success(let isChanged): return isNew ? .added : isChanged ? .changed : .unchanged
        case .failure(let fault): return .bad(fault.words)
        }
    }

    private func event(_ kind: AuditEvent.Kind, _ user: User) -> AuditEvent {
        AuditEvent(kind, at: now).about(user)
    }
}
