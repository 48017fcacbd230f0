import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import UAFService

/// Database file that is made of a backup.
///
/// It is made beside its place and gets its name at the very end: a restore that is interrupted begins again.
struct RestoredDatabase {
    private let deployment: Deployment
    private let isMasterKeyLost: Bool
    private let files = PosixFiles()

    init(_ deployment: Deployment, isMasterKeyLost: Bool) {
        self.deployment = deployment
        self.isMasterKeyLost = isMasterKeyLost
    }

    func restore(_ backup: BackupFile) async throws -> DatabaseCounts {
        guard case .sqlite(let file, let cacheSize) = deployment.database else { throw CommandFailure.backupOnServer }
        try files.makePrivateFolder(deployment.dataDirectory)
        let alone = try DatabaseLease.exclusive(on: file)
        defer { alone.release() }
        try requireRoom(for: file)
        var draft = deployment
        let path = file + ".restoring"
        draft.database = .sqlite(file: path, cacheSize: cacheSize)
        removeFiles(of: path)
        defer { removeFiles(of: path) }
        try FileManager.default.copyItem(atPath: backup.path, toPath: path)
        try await prepare(path)
        let counts = try await renewed(draft, file)
        guard rename(path, file) == 0 else { throw PosixFiles.Failure(path: file, number: errno) }
        try files.synchronizeFolder(of: file)
        return counts
    }

    private func requireRoom(for file: String) throws(CommandFailure) {
        if let found = ([""] + SQLiteBackup.companions).map({ file + $0 }).first(where: files.exists) {
            throw .refused(
                "databaseExists",
                "the file \(found) is there already: move \(file), \(file)-wal and \(file)-shm away first")
        }
        guard isMasterKeyLost || files.exists(deployment.masterKeyFile) else {
            throw .local(
                "masterKeyLost",
                "the master key \(deployment.masterKeyFile) is missing: put the one of the backed-up server there, or, if it "
                    + "is lost, add --lost-master-key")
        }
    }

    /// Makes a database of a server out of the backup: in the form of this version, without statement and mark.
    private func prepare(_ path: String) async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        do throws(ServerPersistenceError) {
            let database = try SQLiteDatabase(backup: path, isReadOnly: false)
            try await BackupManifest.remove(from: database)
            try await Migrator().migrate(database, at: SystemWallClock().now())
            try await DatabaseMark.remove(from: database)
            try database.close()
        } catch {
            throw CommandFailure(database: error, place: path)
        }
    }

    private func renewed(_ draft: Deployment, _ file: String) async throws -> DatabaseCounts {
        let installation: ServerInstallation
        do {
            installation = try await ServerInstallation.open(
                draft, origin: draft.origin, isMasterKeyLost: isMasterKeyLost, logger: ServerLog.quiet)
        } catch let error as CommandFailure where error.code == "wrongMasterKey" {
            throw CommandFailure.local(
                error.code,
                "the master key \(draft.masterKeyFile) is not the one of the backed-up server: put that one there, or, if it "
                    + "is lost, add --lost-master-key")
        }
        if !isMasterKeyLost { try await installation.services.replaceKeys() }
        let marks = DatabaseMarks(draft, in: installation.database.tables, file: MarkFile(besides: file))
        try await marks.renew(at: SystemWallClock().now())
        let counts = try await installation.counts()
        try installation.close()
        return counts
    }

    /// Removes what an interrupted restore has left, and locks beside the draft.
    private func removeFiles(of path: String) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        let name = URL(filePath: path).lastPathComponent
        for found in files.names(in: folder.path()) ?? [] where found.hasPrefix(name) {
            try? FileManager.default.removeItem(at: folder.appending(path: found))
        }
    }
}
