import Foundation
import ServerCore
import Synchronization

/// Bounded queue of log lines with a writer thread, so that no request waits for the reader of the log.
///
/// The writer is woken once, and gathers lines for a moment before it writes: to wake it for each line takes both threads longer
/// than all the rest of a line.
///
/// Lines that do not fit are dropped and counted, and the first line written afterwards reports their number.
package final class LogQueue: Sendable {
    /// Maximum size of the waiting lines, in bytes.
    package static let byteLimit = 1_048_576
    /// Time in which the writer gathers lines once there is one, in microseconds.
    private static let gathering: UInt32 = 20_000
    /// Duration of one write after which the reader of the log counts as stuck.
    package static let patience: Duration = .seconds(5)

    private struct State {
        var lines: [[UInt8]] = []
        var byteCount = 0
        var omitted = 0
        /// The writer waits for a line.
        var isAwaited = true
        /// Start of the write in progress; nil between writes.
        var writingSince: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    /// Wakes the writer and the callers that wait for it; protects no data.
    private let changes = NSCondition()
    private let write: @Sendable ([UInt8]) -> Void
    private let omission: @Sendable (Int) -> [UInt8]
    private let dropped: @Sendable () -> Void

    /// Starts the writer thread.
    ///
    /// `write` writes complete lines and may block; `omission` makes the line that reports the number of dropped lines;
    /// `dropped` is called for each of those.
    package init(
        write: @escaping @Sendable ([UInt8]) -> Void, omission: @escaping @Sendable (Int) -> [UInt8],
        dropped: @escaping @Sendable () -> Void = {}
    ) {
        self.write = write
        self.omission = omission
        self.dropped = dropped
        Thread.detachNewThread { [self] in
            // The thread and the queue live as long as the process.
            while true { write(next()) }
        }
    }

    /// Appends a line without waiting for the writer.
    package func append(_ line: [UInt8]) {
        let (isTaken, isAwaited) = state.withLock { state in
            guard state.byteCount + line.count <= Self.byteLimit else {
                state.omitted += 1
                return (false, false)
            }
            state.lines.append(line)
            state.byteCount += line.count
            defer { state.isAwaited = false }
            return (true, state.isAwaited)
        }
        if isAwaited { signal() }
        if !isTaken { dropped() }
    }

    package var isStuck: Bool {
        state.withLock { state in
            state.writingSince.map { ContinuousClock.now - $0 > Self.patience } ?? false
        }
    }

    /// Waits until all lines are written, at most for `duration`; false when some are left.
    @discardableResult
    package func flush(atMost duration: Duration) -> Bool {
        let deadline = Date(timeIntervalSinceNow: TimeInterval(duration.wholeMilliseconds) / 1000)
        changes.lock()
        defer { changes.unlock() }
        while !isIdle {
            guard changes.wait(until: deadline) else { return isIdle }
        }
        return true
    }

    private var isIdle: Bool { state.withLock { $0.lines.isEmpty && $0.omitted == 0 && $0.writingSince == nil } }

    /// Wakes the writer, which waits or is about to.
    ///
    /// It gets the lock at once: a thread that is woken while the lock is held goes back to sleep, and both are switched to and from
    /// twice for it.
    private func signal() {
        changes.lock()
        changes.unlock()
        changes.broadcast()
    }

    /// Waits for lines and takes all of them as one block of bytes.
    private func next() -> [UInt8] {
        changes.lock()
        state.withLock { $0.writingSince = nil }
        changes.broadcast()
        // A thread that appends to an awaited queue takes the lock first, so its signal comes when this thread waits.
        while state.withLock({ state in
            state.isAwaited = state.lines.isEmpty && state.omitted == 0
            return state.isAwaited
        }) {
            changes.wait()
        }
        changes.unlock()
        usleep(Self.gathering)
        return state.withLock { state in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(state.lines.reduce(0) { $0 + $1.count })
            for line in state.lines { bytes += line }
            if state.omitted > 0 { bytes += omission(state.omitted) }
            state = State(isAwaited: false, writingSince: .now)
            return bytes
        }
    }
}
