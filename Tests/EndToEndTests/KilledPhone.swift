import CommandSupport
import DemoCommands
import Foundation
import TestSupport

/// A phone whose process is killed just before it writes.
///
/// `strace` sends the signal when the process enters a system call, which then does not happen. It counts calls for
/// each thread, so the phone gets one processor: then all its files are written by one thread.
struct KilledPhone {
    private static let tracer = URL(filePath: "/usr/bin/strace")
    private static let pinning = URL(filePath: "/usr/bin/taskset")

    /// Whether the tools for it are installed; `script/bootstrap` does that.
    static var isPossible: Bool {
        [tracer, pinning].allSatisfy { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }

    /// The first processor that this process may use.
    private static var oneProcessor: String {
        let status = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let allowed = status?.split(separator: "Cpus_allowed_list:").dropFirst().first
        return allowed.map { String($0.drop(while: \.isWhitespace).prefix(while: \.isNumber)) } ?? "0"
    }

    /// A moment at which the files of the phone lie as a crash would leave them.
    struct Cut: CustomStringConvertible {
        /// The system call that does not happen any more.
        let systemCall: String
        /// Which of these calls, from 1.
        let count: Int

        var description: String { "before \(systemCall) \(count)" }
    }

    /// Every system call that changes what a phone finds when it starts again.
    static let systemCalls = ["rename", "unlink", "fsync"]

    let phone: PhoneProcess

    /// Runs a command up to the cut; nil when the process was killed there, the outcome when it came to its end.
    func run(_ command: String, _ arguments: [String], until cut: Cut) async throws -> CommandOutcome? {
        let tracing = [
            "--cpu-list", Self.oneProcessor, Self.tracer.path(), "--follow-forks", "--quiet=all", "--output=/dev/null",
            "--trace=\(cut.systemCall)", "--inject=\(cut.systemCall):signal=KILL:when=\(cut.count)",
        ]
        let own = [phone.program.path(), "device", command, "--device", phone.folder.path(), "--format", "json"]
        let process = try ChildProcess(
            Self.pinning, tracing + own + arguments, folder: phone.logs, name: "killed-\(UUID().uuidString.prefix(8))")
        let ending = await process.ending()
        return ending.code == 128 + SIGKILL ? nil : try CommandOutcome(ending)
    }

    /// Distance of the cuts in calls, from the first call of each kind; the distance of a sample is a prime number, so that
    /// it does not always meet the same call of a commit.
    private static let distance = SlowTests.areWanted ? 1 : 7

    /// Calls `body` for the first call of each kind and those at the distance, until it says that there are no more.
    static func everyCut(_ body: (Cut) async throws -> Bool) async throws {
        for systemCall in systemCalls {
            var count = 1
            while try await body(Cut(systemCall: systemCall, count: count)) { count += distance }
        }
    }
}
