import CommandSupport
import Foundation
import UnixSignals

/// End of a run that is interrupted: its processes are ended, and its folder is removed.
struct RunInterruption {
    private static let exitCode: Int32 = 130
    /// Attempts to remove the folder.
    private static let attempts = 20

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
        // What still writes may make a file while the folder is being removed.
        for _ in 0..<attempts where FileManager.default.fileExists(atPath: folder.path()) {
            do { try FileManager.default.removeItem(at: folder) } catch { usleep(100_000) }
        }
        // The processes last: without a server the run would end by itself, with another code.
        for process in ProcessTime.children(of: LoadResult.ownProcess) { ChildProcessSignal.end(process) }
        // Without the ends of objects, which other threads still use.
        _exit(exitCode)
    }
}
