import Foundation
import ServerCore
import Synchronization

/// Takes lines of the log and lets a thread of its own write them, so that no request waits for the reader of the log.
///
/// The queue is bounded. What does not fit is left out and counted, and the first line written afterwards says how many
/// lines there were.
package final class LogQueue: Sendable {
    /// Bytes that wait at most.
    package static let byteLimit = 1_048_576
    /// Time in one write after which the reader of the log counts as stuck.
    package static let patience: Duration = .seconds(5)

    private struct State {
        var lines: [[UInt8]] = []
        var byteCount = 0
        var omitted = 0
        /// When the write that goes on began.
        var writingSince: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    /// Guards no data of its own: it wakes the writer and those who wait for it.
    private let changes = NSCondition()
    private let write: @Sendable ([UInt8]) -> Void
    private let omission: @Sendable (Int) -> [UInt8]
    private let dropped: @Sendable () -> Void

    /// Starts the writer.
    ///
    /// `write` writes whole lines and may block; `omission` makes the line that tells how many lines are missing;
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

    /// Takes a line; never waits for the writer.
    package func append(_ line: [UInt8]) {
        let isTaken = state.withLock { state in
            guard state.byteCount + line.count <= Self.byteLimit else {
                state.omitted += 1
                return false
            }
            state.lines.append(line)
            state.byteCount += line.count
            return true
        }
        if isTaken { signal() } else { dropped() }
    }

    /// Whether the reader of the log has stopped reading.
    package var isStuck: Bool {
        state.withLock { state in
            state.writingSince.map { ContinuousClock.now - $0 > Self.patience } ?? false
        }
    }

    /// Waits until everything is written, at most for `duration`; false when something is left.
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

    private func signal() {
        changes.lock()
        changes.broadcast()
        changes.unlock()
    }

    /// Waits for lines and takes all there are, as one piece.
    private func next() -> [UInt8] {
        changes.lock()
        defer { changes.unlock() }
        state.withLock { $0.writingSince = nil }
        changes.broadcast()
        while true {
            let taken = state.withLock { state -> [UInt8]? in
                guard !state.lines.isEmpty || state.omitted > 0 else { return nil }
                var bytes = Array(state.lines.joined())
                if state.omitted > 0 { bytes += omission(state.omitted) }
                state = State(writingSince: .now)
                return bytes
            }
            if let taken { return taken }
            changes.wait()
        }
    }
}
