import CommandSupport
import Foundation
import Synchronization

/// Processes of a trial, which end with it however it ends.
///
/// A shell waits beside them for the end of this process: when it is killed, the shell kills them and removes the
/// folder, which this process cannot do any more.
final class TryProcesses: Sendable {
    private static let patience = Duration.seconds(5)
    /// Arguments: this process, the file of the others, and the folder to be removed, which may be empty.
    private static let guardian = """
        trap '' INT HUP TERM
        while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
        for pid in $(cat "$2" 2>/dev/null); do kill -9 "$pid" 2>/dev/null; done
        [ -z "$3" ] || rm -rf "$3"
        """

    private let folder: URL
    private let running = Mutex<[(name: String, process: ChildProcess)]>([])
    private let kept = Mutex<[any AnyObject & Sendable]>([])
    private let guardian: ChildProcess

    /// Starts the guardian; `folder` takes the outputs, and is removed after a kill when it `isTemporary`.
    init(folder: URL, isTemporary: Bool) throws {
        self.folder = folder
        let list = folder.appending(path: "processes")
        guardian = try ChildProcess(
            URL(filePath: "/bin/sh"),
            [
                "-c", Self.guardian, "signet-try", String(ProcessInfo.processInfo.processIdentifier), list.path(),
                isTemporary ? folder.path() : "",
            ], folder: folder, name: "guardian")
    }

    /// Adds a process that another part has started.
    func add(_ process: ChildProcess, named name: String) {
        let processes = running.withLock { running in
            running.append((name, process))
            return running.map { String($0.process.identifier) }
        }
        try? Data(processes.joined(separator: "\n").utf8).write(to: folder.appending(path: "processes"))
    }

    /// Keeps an object that ends its process when it is released.
    func keep(_ object: any AnyObject & Sendable) { kept.withLock { $0.append(object) } }

    /// Waits until one of them has ended, and returns its name with the end of what it said.
    ///
    /// Throws `CancellationError` when the task is canceled before.
    func firstEnd() async throws -> CommandFailure {
        while true {
            if let ended = running.withLock({ $0.first { !$0.process.isRunning } }) {
                let ending = await ended.process.ending()
                return .local(
                    "ProcessEnded",
                    "\(ended.name) has ended with code \(ending.code): \(ending.complaints.suffix(400))")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Ends all of them, those that were started last first; kills what does not end within five seconds.
    func stop() async {
        let processes = running.withLock { running in
            defer { running = [] }
            return running.map(\.process)
        }
        for process in processes.reversed() { process.stop() }
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while processes.contains(where: \.isRunning), clock.now < end {
            try? await Task.sleep(for: .milliseconds(20))
        }
        for process in processes { process.kill() }
        for process in processes { _ = await process.ending() }
        guardian.kill()
        _ = await guardian.ending()
    }
}
