package import ServerCore
import UAF
import UAFService

/// Everything that is kept of one person: its export, and its erasure.
package struct PersonService: Sendable {
    private let users: any UserRepository
    private let targets: any DispatchTargetRepository
    private let transactions: any OpenIDTransactionRunner
    private let audit: AuditService
    private let clock: any WallClock
    private let traces: any StorageTraces

    package init(_ server: OpenIDServer) {
        users = server.services.storage.users
        targets = server.services.storage.targets
        transactions = server.transactions
        audit = server.services.audit
        clock = server.services.ports.clock
        traces = server.services.storage.traces
    }

    /// People with this identifier, name or external id, also ones whose account was removed; several had the same name one
    /// after the other.
    ///
    /// Throws ``ServerError/userUnknown`` for none.
    package func people(named text: String) async throws(ServerError) -> [UserID] {
        if let name = UserName(text), let user = try await users.user(named: name) { return [user.id] }
        if let id = UserID(text: text), try await subject(id) != nil { return [id] }
        var query = AuditQuery()
        query.username = text
        var places: [String: Int64] = [:]
        let people = Set(try await audit.next(query, after: &places).compactMap(\.userID))
        guard !people.isEmpty else { throw .userUnknown }
        return people.sorted { $0.text < $1.text }
    }

    /// Everything that is kept of a person; `isForPerson` leaves out who of the operators did something, and their words.
    ///
    /// It reads the whole audit. Throws ``ServerError/userUnknown``.
    package func export(_ id: UserID, isForPerson: Bool = false) async throws(ServerError) -> PersonRecord {
        guard let subject = try await subject(id) else { throw .userUnknown }
        var record = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try PersonRecord(of: id, in: snapshot)
        }
        record.exportedAt = clock.now()
        if case .erased(let time) = subject { record.erasedAt = time }
        record.devices = try await targets.targets(of: id)
        record.hasPassword = try await users.password(of: id) != nil
        record.audit = try await entries(of: id)
        if isForPerson { record.audit = record.audit.map(\.withoutOperator) }
        return record
    }

    /// Removes the account of a person if there is one, deletes the key that opens the names in the audit, and everything
    /// else that names the person; records it with `reason`, which stays readable.
    ///
    /// What waits to be sent about the person is not sent any more. Throws ``ServerError/userUnknown`` also for a person who
    /// was erased.
    package func erase(_ id: UserID, reason: String) async throws(ServerError) -> Erasure {
        guard case .key? = try await subject(id) else { throw .userUnknown }
        let names = try await names(of: id)
        let words = Self.words(of: reason)
        guard !names.contains(where: { words.contains(Self.words(of: $0)) }) else { return .reasonNamesPerson }
        let now = clock.now()
        var event = AuditEvent(.personErased, at: now, userID: id)
        event.reason = reason
        let record = event
        let isErased = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            _ = try transaction.lockUser(id)
            guard case .key? = try transaction.subject(id) else { return false }
            try transaction.removeDocuments { PersonDocument(json: $0).names(anyOf: names) }
            try transaction.erase(id, at: now)
            try transaction.append(record)
            return true
        }
        guard isErased else { throw .userUnknown }
        return .done(isComplete: try await traces.remove())
    }

    /// Result of an erasure.
    package enum Erasure: Sendable, Hashable {
        /// The person is erased; unless complete, a file beside the database keeps what was deleted for a while.
        case done(isComplete: Bool)
        /// The reason has a name of the person, and nothing was erased.
        case reasonNamesPerson
    }

    /// The words of a text in lower case, with one blank around each.
    private static func words(of text: String) -> String {
        " " + text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
    }

    private func subject(_ id: UserID) async throws(ServerError) -> AuditSubject? {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.subject(id) }
    }

    private func entries(of id: UserID) async throws(ServerError) -> [AuditEntry] {
        var query = AuditQuery()
        query.userID = id
        var places: [String: Int64] = [:]
        return try await audit.next(query, after: &places)
    }

    /// Names that a person has or had, as the account and the audit know them.
    private func names(of id: UserID) async throws(ServerError) -> Set<String> {
        var names = Set(try await entries(of: id).flatMap { [$0["username"], $0["externalId"]] }.compactMap(\.self))
        if let user = try await users.user(id) { names.formUnion([user.name.text, user.externalID.text]) }
        // The external id that the server makes is the identity, which names no person.
        names.remove(id.text)
        return names
    }
}
