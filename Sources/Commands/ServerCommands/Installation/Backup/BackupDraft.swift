import CommandSupport
import Foundation
import ServerPersistenceSQLite

/// File beside a backup in which it is made, readable for its owner only.
///
/// What a killed process has left of one is emptied by the next backup of that name.
struct BackupDraft {
    let path: String
    private let final: String
    private let descriptor: Int32

    /// Makes an empty draft; throws `backupUnderWay` while another process writes the same backup.
    init(for final: String) throws {
        self.final = final
        path = final + ".part"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        do {
            try takeAlone()
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func takeAlone() throws {
        // Another process may have finished the same draft, which is a backup now.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, PosixFiles().isOpen(descriptor, at: path) else {
            throw CommandFailure.local(
                "backupUnderWay", "another process writes \(final) right now; wait for it, or name another file",
                isRetryable: true)
        }
        for companion in SQLiteBackup.companions { unlink(path + companion) }
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw PosixFiles.Failure(path: path, number: errno)
        }
    }

    /// Gives the file its name when all of it is on the disk; false when there is a file of that name that is not to be
    /// replaced.
    func publish(isReplacing: Bool) throws(PosixFiles.Failure) -> Bool {
        guard fsync(descriptor) == 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        if isReplacing {
            guard rename(path, final) == 0 else { throw PosixFiles.Failure(path: final, number: errno) }
        } else {
            guard link(path, final) == 0 else {
                if errno == EEXIST { return false }
                throw PosixFiles.Failure(path: final, number: errno)
            }
            unlink(path)
        }
        try PosixFiles().synchronizeFolder(of: final)
        return true
    }

    func discard() {
        for ending in [""] + SQLiteBackup.companions { unlink(path + ending) }
    }

    func release() { close(descriptor) }
}
