package import ServerCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Leadership among the server processes of one machine that share a database file: a lock on a file for each duty.
///
/// The system frees the lock when the process ends, however it ends; the next process that asks then leads. Where the
/// file cannot be locked no process leads, and health shows what is left undone.
package final class FileLeadership: Leadership {
    private let databaseFile: String
    /// Descriptors of the files that this process has locked, by duty.
    private let held = Mutex<[LeadershipDuty: Int32]>([:])

    package init(besides databaseFile: String) {
        self.databaseFile = databaseFile
    }

    deinit {
        for descriptor in held.withLock({ $0.values.map(\.self) }) { close(descriptor) }
    }

    package func leads(_ duty: LeadershipDuty) async -> Bool { isHeld(duty) }

    private func isHeld(_ duty: LeadershipDuty) -> Bool {
        let path = "\(databaseFile).leader-\(duty.name)"
        return held.withLock { held in
            if let descriptor = held[duty] {
                if Self.names(path, descriptor) { return true }
                // The file was removed, and other processes may have locked a new one.
                close(descriptor)
                held[duty] = nil
            }
            held[duty] = Self.locked(path)
            return held[duty] != nil
        }
    }

    /// Locks a file and returns its descriptor; nil when another process has locked it.
    private static func locked(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, names(path, descriptor) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether a path still leads to the open file.
    private static func names(_ path: String, _ descriptor: Int32) -> Bool {
        var (mine, found) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, lstat(path, &found) == 0 else { return false }
        return mine.st_ino == found.st_ino && mine.st_dev == found.st_dev
    }
}
