import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileSystem {
    /// Takes the lock of ``tryLock(_:)`` and waits for it as long as another process or task holds it.
    ///
    /// The task waits and holds neither its actor nor a thread of the concurrency pool: the holder of the lock may need
    /// that thread to come to an end. Waiting tasks of this process stand in line and come in order; the first of them
    /// waits ten seconds at most, then `busy` is thrown. Cancelling the task does not end the wait, because what is
    /// done under a lock often cleans up.
    package func lock(_ path: String) async throws(FileSystemError) -> FileLock {
        if !LockQueue.isFormed(at: path), let lock = try tryLock(path) { return lock }
        await LockQueue.enter(path)
        defer { LockQueue.leave(path) }
        return try await LockWait().lock(path, of: self)
    }

    /// The same for a caller on a ``BlockingThread``, which waits itself.
    package func blockingLock(_ path: String) throws(FileSystemError) -> FileLock {
        let deadline = ContinuousClock.now + LockWait.patience
        var pause = LockWait.shortestPause
        while true {
            if let lock = try tryLock(path) { return lock }
            guard ContinuousClock.now < deadline else { throw .busy }
            // Not all at the same moment: the task that waited longest would never win.
            usleep(.random(in: pause / 2...pause))
            pause = min(pause * 2, LockWait.longestPause)
        }
    }
}

/// One wait for one lock, on a separate thread.
private actor LockWait {
    static let patience = Duration.seconds(10)
    /// Microseconds.
    static let shortestPause: UInt32 = 50
    static let longestPause: UInt32 = 5_000

    private nonisolated let thread = BlockingThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    func lock(_ path: String, of fileSystem: some FileSystem) throws(FileSystemError) -> FileLock {
        try fileSystem.blockingLock(path)
    }
}

/// Queues of the tasks in this process that wait for the lock of a path: one waits for the lock, the others behind it.
private enum LockQueue {
    /// Waiting tasks behind the first, by path; a path without a line is not there.
    private static let lines = Lock<[String: [CheckedContinuation<Void, Never>]]>([:])

    static func isFormed(at path: String) -> Bool { lines.withLock { $0[path] != nil } }

    static func enter(_ path: String) async {
        await withCheckedContinuation { turn in
            let isFirst = lines.withLock { lines in
                guard lines[path] != nil else {
                    lines[path] = []
                    return true
                }
                lines[path]?.append(turn)
                return false
            }
            if isFirst { turn.resume() }
        }
    }

    static func leave(_ path: String) {
        let next = lines.withLock { lines -> CheckedContinuation<Void, Never>? in
            guard lines[path]?.isEmpty == false else {
                lines[path] = nil
                return nil
            }
            return lines[path]?.removeFirst()
        }
        next?.resume()
    }
}
