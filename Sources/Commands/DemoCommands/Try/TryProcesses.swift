import CommandSupport
import DeviceCommands
import Foundation
import Locking
import Synchronization

/// Processes of a trial, which end with it however it ends.
///
/// A shell reads their numbers from a pipe, which ends with this process: when that is killed, the shell kills them and
/// removes the folder, which this process cannot do any more.
final class TryProcesses: Sendable {
    private static let patience = Duration.seconds(5)
    /// Argument: the folder to be removed, which may be empty.
    ///
    /// It kills and removes again, because a command that was running may have written meanwhile.
    private static let guardian = """
        trap '' INT HUP TERM
        while read -r pid; do pids="$pids $pid"; done
        for round in 1 2 3; do
            for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
            [ -z "$1" ] || rm -rf "$1"
            sleep 1
        done
        """

    let folder: URL
    private let temporary: TemporaryFolder?
    private let running = Mutex<[(name: String, process: ChildProcess)]>([])
    private let kept = Mutex<[any AnyObject & Sendable]>([])
    private let guardian = Process()
    private let numbers = Pipe()

    /// Starts the guardian, and then makes the folder, so that there is none without a guardian.
    ///
    /// Without `folder` it is a temporary one, which is removed at the end. Throws ``CommandFailure``.
    init(folder place: URL?) throws {
        folder = place ?? TemporaryFolder.location(named: "signet-try")
        guardian.executableURL = URL(filePath: "/bin/sh")
        guardian.arguments = [
            "-c", Self.guardian, "signet-try", place == nil ? folder.path() : "",
        ]
        // No other child may hold the pipe open; and when the guardian is gone, writing to it fails.
        _ = fcntl(numbers.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        signal(SIGPIPE, SIG_IGN)
        guardian.standardInput = numbers
        guardian.standardOutput = FileHandle.nullDevice
        guardian.standardError = FileHandle.nullDevice
        let guardian = guardian
        try ThreadSignals.unblocked { try guardian.run() }
        do {
            temporary = try place == nil ? TemporaryFolder(at: folder) : nil
            if place != nil { try PrivateFolder(path: folder.path()).make() }
        } catch {
            ChildProcessSignal.end(guardian.processIdentifier)
            throw error
        }
    }

    func add(_ process: ChildProcess, named name: String) {
        running.withLock { $0.append((name, process)) }
        _ = SystemWrite.all(
            Array("\(process.identifier)\n".utf8), to: numbers.fileHandleForWriting.fileDescriptor)
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
