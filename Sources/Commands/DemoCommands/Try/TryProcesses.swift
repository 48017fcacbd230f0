import CommandSupport
import Foundation
import Locking
import Synchronization

/// Processes of a trial, which end with it however it ends.
///
/// A shell waits beside them for the end of this process: when it is killed, the shell kills them and removes the
/// folder, which this process cannot do any more.
final class TryProcesses: Sendable {
    private static let patience = Duration.seconds(5)
    /// Arguments: this process, the file of the others, and the folder to be removed, which may be empty.
    ///
    /// It kills and removes again, because a command that was running may have written meanwhile.
    private static let guardian = """
        trap '' INT HUP TERM
        while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
        for round in 1 2 3; do
            for pid in $(cat "$2" 2>/dev/null); do kill -9 "$pid" 2>/dev/null; done
            [ -z "$3" ] || rm -rf "$3"
            sleep 1
        done
        """

    let folder: URL
    private let temporary: TemporaryFolder?
    private let running = Mutex<[(name: String, process: ChildProcess)]>([])
    private let kept = Mutex<[any AnyObject & Sendable]>([])
    private let guardian = Process()

    /// Starts the guardian, and then makes the folder, so that there is none without a guardian.
    ///
    /// Without `folder` it is a temporary one, which is removed at the end. Throws ``CommandFailure``.
    init(folder place: URL?) throws {
        folder = place ?? TemporaryFolder.location(named: "signet-try")
        guardian.executableURL = URL(filePath: "/bin/sh")
        guardian.arguments = [
            "-c", Self.guardian, "signet-try", String(ProcessInfo.processInfo.processIdentifier),
            folder.appending(path: "processes").path(), place == nil ? folder.path() : "",
        ]
        guardian.standardInput = FileHandle.nullDevice
        guardian.standardOutput = FileHandle.nullDevice
        guardian.standardError = FileHandle.nullDevice
        let guardian = guardian
        try ThreadSignals.unblocked { try guardian.run() }
        do {
            temporary = try place == nil ? TemporaryFolder(at: folder) : nil
            if place != nil { try Self.make(folder) }
        } catch {
            ChildProcessSignal.end(guardian.processIdentifier)
            throw error
        }
    }

    private static func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure.local("FileUnwritable", "the folder \(folder.path()) cannot be made")
        }
    }

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

    /// Ends all of them, the last started first; kills what does not end within five seconds.
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
        ChildProcessSignal.end(guardian.processIdentifier)
    }
}
