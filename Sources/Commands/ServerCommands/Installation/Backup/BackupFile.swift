import CommandSupport
import Foundation
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite

/// File of a backup: a SQLite database with everything that a server keeps, and a statement about it.
///
/// The keys in it are wrapped by the master key, which is not in it.
struct BackupFile {
    let path: String

    struct Summary: Hashable {
        let statement: BackupStatement
        let counts: DatabaseCounts
        /// SHA-256 of the file, as `sha256sum` prints it.
        let hash: String
        /// Whether the tables have the form of an earlier version, to which a restore adds what is missing.
        let isOlder: Bool
    }

    // MARK: - Writing

    /// Writes a backup of a database file, which servers may go on using.
    ///
    /// A file of this name appears when all of it is on the disk. Throws `backupExists` for one that is there, unless it
    /// `isReplacing` that.
    func write(of database: String, isReplacing: Bool, at now: Timestamp) async throws -> Summary {
        guard isReplacing || !PosixFiles().exists(path) else { throw exists }
        let draft = try BackupDraft(for: path)
        defer { draft.release() }
        do {
            let written = try await fill(draft.path, from: database, at: now)
            let hash = try Self.hash(of: draft.path)
            guard try draft.publish(isReplacing: isReplacing) else { throw exists }
            return Summary(statement: written.statement, counts: written.counts, hash: hash, isOlder: false)
        } catch {
            draft.discard()
            throw error
        }
    }

    private func fill(
        _ draft: String, from database: String, at now: Timestamp
    ) async throws -> (statement: BackupStatement, counts: DatabaseCounts) {
        try Self.naming(database) { () throws(ServerPersistenceError) in try SQLiteBackup.copy(database, into: draft) }
        return try await Self.using(draft, isReadOnly: false) { backup async throws(ServerPersistenceError) in
            let statement = BackupStatement(
                createdAt: now, program: Program.version, content: try await DatabaseContent(of: backup))
            let counts = try await DatabaseCounts(of: backup)
            try await BackupManifest.write(statement.text, to: backup)
            return (statement, counts)
        }
    }

    private var exists: CommandFailure {
        .refused("backupExists", "there is a file \(path) already; name another one, or add --replace")
    }

    // MARK: - Verifying

    /// Reads the whole backup and compares it with what it says of itself.
    ///
    /// Throws `backupDamaged` when they differ, or when the file, or the audit in it, was changed.
    func verify() async throws -> Summary {
        guard PosixFiles().permissions(of: path) != nil else {
            throw CommandFailure.local("fileUnusable", "there is no backup \(path), or this account may not read it")
        }
        let hash = try Self.hash(of: path)
        let found = try await Self.using(path, isReadOnly: true) { backup async throws(ServerPersistenceError) in
            try await Found(in: backup)
        }
        guard let text = found.statement else {
            throw damaged("was not written by \"signet-server backup\"")
        }
        if let damage = found.damage { throw damaged("is damaged (\(damage))") }
        let statement: BackupStatement
        do {
            statement = try BackupStatement(text: text)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw damaged("has a description of itself that cannot be read")
        }
        for (table, said) in zip(found.content.tables, statement.content.tables) where table != said {
            throw damaged("was changed since it was written (table \(said.name))")
        }
        guard found.content == statement.content else { throw damaged("has other tables than it was written with") }
        if let place = found.auditBreak { throw damaged("holds an audit that was changed (\(place))") }
        return Summary(statement: statement, counts: found.counts, hash: hash, isOlder: found.isOlder)
    }

    private func damaged(_ words: String) -> CommandFailure {
        .refused("backupDamaged", "\(path) \(words): use another backup, or write a new one")
    }

    private struct Found {
        let damage: String?
        let statement: String?
        let content: DatabaseContent
        let counts: DatabaseCounts
        let isOlder: Bool
        /// First change of the audit; nil for none, and for an audit of an earlier form.
        let auditBreak: String?

        init(in backup: SQLiteDatabase) async throws(ServerPersistenceError) {
            damage = try backup.damage()
            statement = try await BackupManifest.text(in: backup)
            content = try await DatabaseContent(of: backup)
            counts = try await DatabaseCounts(of: backup)
            isOlder = try await Migrator().status(of: backup).contains(where: \.isMissing)
            auditBreak = isOlder ? nil : await Self.auditBreak(in: backup)
        }

        private static func auditBreak(in backup: SQLiteDatabase) async -> String? {
            let storage = SQLStorage(on: backup, chainID: "backup").ports
            do throws(ServerError) {
                let report = try await AuditService(log: storage.audit).verify()
                return report.breaks.first?.text
            } catch {
                return "it cannot be read"
            }
        }
    }

    // MARK: - Database

    private static func using<Value>(
        _ path: String, isReadOnly: Bool,
        _ body: (SQLiteDatabase) async throws(ServerPersistenceError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(ServerPersistenceError) {
            let backup = try SQLiteDatabase(backup: path, isReadOnly: isReadOnly)
            let value = try await body(backup)
            try backup.close()
            return value
        } catch {
            throw CommandFailure(database: error, place: path)
        }
    }

    private static func naming(
        _ place: String, _ body: () throws(ServerPersistenceError) -> Void
    ) throws(CommandFailure) {
        do throws(ServerPersistenceError) {
            try body()
        } catch {
            throw CommandFailure(database: error, place: place)
        }
    }

    private static func hash(of path: String) throws(PosixFiles.Failure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        defer { close(descriptor) }
        var hash = RunningHash()
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
            if count == 0 { return hash.text }
            hash.add(part.prefix(count))
        }
    }
}
