import CommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence

/// The two marks of a database: the one in it, and the one beside it.
///
/// The database is written first. A process that ends in between leaves the mark beside it behind, which is no finding.
struct DatabaseMarks: Sendable {
    let file: MarkFile
    private let database: any SQLDatabase
    /// Place of the database, for messages.
    private let place: String
    private let isOnServer: Bool

    /// Marks of a deployment; `file` replaces the mark beside the database.
    init(_ deployment: Deployment, in database: any SQLDatabase, file: MarkFile? = nil) {
        self.file = file ?? MarkFile(besides: deployment.leaseFile)
        self.database = database
        place = deployment.database.place
        isOnServer = deployment.database.file == nil
    }

    /// Compares the marks, and where the finding is good goes on with both.
    ///
    /// Throws `databasePutBack` for another finding, and writes nothing then.
    func advance(at now: Timestamp) async throws {
        let finding = try await compared(at: now)
        if let failure = finding.failure(of: place, mark: file.path) { throw failure }
    }

    /// Failure of a start at this moment; nil for a database that was not put back.
    ///
    /// Nothing is written.
    func failure() async throws -> CommandFailure? {
        // The mark beside the database is written last: read first, it is behind what is read then.
        let content = file.content
        let stored = try await DatabaseMark.stored(in: database)
        return MarkFinding(stored, beside: content, isOnServer: isOnServer).failure(of: place, mark: file.path)
    }

    /// Makes the database the one that is served here, whatever the marks say: what was given out has ended.
    func renew(at now: Timestamp) async throws {
        try file.begin()
        _ = try await file.locked { content in
            let fresh = DatabaseMark(from: SystemRandomSource(), at: now)
            let written = try await write { stored in
                (stored?.mark ?? fresh).advanced(beyond: content.mark, at: now)
            }
            return ((), written)
        }
    }

    /// Removes the file of a beginning after a command has begun the database and put its keys into it.
    ///
    /// With the file, a database that is empty would be begun anew. The file of a server stays: its mark follows.
    func endBeginning() async throws {
        guard file.content == .begun else { return }
        _ = try await file.locked { content in
            if content == .begun, try await DatabaseMark.stored(in: database) == nil { try file.remove() }
            return ((), nil)
        }
    }

    private func compared(at now: Timestamp) async throws -> MarkFinding {
        if let finding = try await comparedWithFile(at: now) { return finding }
        // Without a file. Another process makes it before it writes the database, so that it is there behind a look at that.
        let stored = try await DatabaseMark.stored(in: database)
        if stored == nil || isOnServer { try file.begin() }
        return try await comparedWithFile(at: now) ?? MarkFinding(stored, beside: .absent, isOnServer: isOnServer)
    }

    private func comparedWithFile(at now: Timestamp) async throws -> MarkFinding? {
        try await file.locked { content in
            let stored = try await DatabaseMark.stored(in: database)
            let finding = MarkFinding(stored, beside: content, isOnServer: isOnServer)
            guard finding.isGood else { return (finding, nil) }
            let fresh = DatabaseMark(from: SystemRandomSource(), at: now)
            let written = try await write { stored in (stored?.mark ?? fresh).advanced(at: now) }
            return (finding, written)
        }
    }

    /// Writes the mark that `rule` makes of the stored one, and returns it.
    private func write(
        _ rule: @escaping @Sendable (DatabaseMark.Stored?) -> DatabaseMark
    ) async throws -> DatabaseMark? {
        try await DatabaseMark.write(to: database, rule)
        return try await DatabaseMark.stored(in: database)?.mark
    }
}
