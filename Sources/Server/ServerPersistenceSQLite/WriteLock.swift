import Foundation
import ServerPersistence

/// Turn of writing among the processes that share a database file, which they take one after the other.
///
/// SQLite lets the first process that comes write, and a process that waits for it looks again after ever longer
/// pauses: beside one that commits all the time it would not get there before its time-out. So a process holds two
/// locks of the operating system: one for the next in line, and one for the turn. A process that ends a turn and wants
/// another one finds the next place taken, and waits. Both locks end with their process, and a turn is one shared
/// transaction long.
struct WriteLock: Sendable {
    /// First and longest pause between two looks at a lock.
    private static let pauses: ClosedRange<UInt32> = 100...1_000

    private let next: TurnLock
    private let turn: TurnLock

    /// Opens the files of the locks, which stand beside the database and are empty.
    ///
    /// Throws ``ServerPersistenceError/file(errorNumber:)``.
    init(besides databaseFile: String) throws(ServerPersistenceError) {
        next = try TurnLock(path: databaseFile + ".turn-next")
        turn = try TurnLock(path: databaseFile + ".turn")
    }

    /// Runs `body` in a turn of this process.
    ///
    /// Throws ``ServerPersistenceError/unavailable(code:)`` when the turn does not come within `patience`: the process
    /// that has it was stopped, or waits for its disk.
    func take<Value>(
        within patience: Duration, _ body: () throws(ServerPersistenceError) -> Value
    ) throws(ServerPersistenceError) -> Value {
        let deadline = ContinuousClock.now + patience
        try wait(for: next, until: deadline)
        do throws(ServerPersistenceError) {
            try wait(for: turn, until: deadline)
        } catch {
            next.release()
            throw error
        }
        next.release()
        defer { turn.release() }
        return try body()
    }

    private func wait(
        for lock: TurnLock, until deadline: ContinuousClock.Instant
    ) throws(ServerPersistenceError) {
        var pause = Self.pauses.lowerBound
        while try !lock.take() {
            guard ContinuousClock.now < deadline else { throw SQLiteFailure.busy }
            usleep(pause)
            pause = min(2 * pause, Self.pauses.upperBound)
        }
    }
}

/// Lock of the operating system on a separate file.
private final class TurnLock: Sendable {
    private let descriptor: Int32

    init(path: String) throws(ServerPersistenceError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(errorNumber: errno) }
    }

    deinit { close(descriptor) }

    /// Takes the lock; false when another process, or another database object of this one, has it.
    func take() throws(ServerPersistenceError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw .file(errorNumber: errno) }
        return false
    }

    func release() { flock(descriptor, LOCK_UN) }
}
