import CommandSupport
import Foundation
import UnixSignals

/// End of a run that somebody interrupts: its processes are ended, and its folder is removed.
struct RunInterruption {
    private static let exitCode: Int32 = 130

    private let task: Task<Void, Never>

    /// Waits for SIGINT and SIGTERM from now on; `folder` has everything that the run writes.
    init(removing folder: URL) {
        task = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { Self.end(folder) }
        }
    }

    /// Waits no longer.
    func cancel() { task.cancel() }

    private static func end(_ folder: URL) -> Never {
        ProgressLine.say("interrupted: removing \(folder.path())")
        for process in ProcessTime.children(of: LoadResult.ownProcess) { ChildProcessSignal.end(process) }
        // What still writes may make a file while the folder is being removed.
        for _ in 0..<3 where (try? FileManager.default.removeItem(at: folder)) == nil { usleep(100_000) }
        // Without the ends of objects, which other threads still use.
        _exit(exitCode)
    }
}
