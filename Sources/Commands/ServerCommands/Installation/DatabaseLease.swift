import CommandSupport
import Foundation

/// Lease of a whole database file: servers of all instance names share it, and commands that must be alone with the
/// database have it to themselves.
///
/// It is a lock of the operating system on the file `.lease` beside the database and ends with the process. Servers of
/// versions that do not know it hold none: they have to be stopped by hand.
struct DatabaseLease: Sendable {
    private let descriptor: Int32

    /// Shares the lease with other servers.
    ///
    /// Throws `databaseInUse` while a command has it alone.
    static func shared(on databaseFile: String) throws -> DatabaseLease {
        try take(
            LOCK_SH, on: databaseFile,
            otherwise: "a command that needs \(databaseFile) for itself is running; start the server when it is done")
    }

    /// Takes the lease alone.
    ///
    /// Throws `databaseInUse` while a server or another such command runs.
    static func exclusive(on databaseFile: String) throws -> DatabaseLease {
        try take(
            LOCK_EX, on: databaseFile,
            otherwise:
                "a server runs on \(databaseFile); stop all servers first, this command needs the database for itself")
    }

    /// Whether a server, or a command that needs the database for itself, runs; nothing is made.
    static func isHeld(on databaseFile: String) -> Bool {
        let descriptor = open(databaseFile + ".lease", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    func release() { close(descriptor) }

    private static func take(
        _ kind: Int32, on databaseFile: String, otherwise refusal: String
    ) throws -> DatabaseLease {
        let path = databaseFile + ".lease"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        guard flock(descriptor, kind | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else { throw PosixFiles.Failure(path: path, number: number) }
            throw CommandFailure.local("databaseInUse", refusal)
        }
        return DatabaseLease(descriptor: descriptor)
    }
}
