import Foundation
import Synchronization

/// Reads the arguments of every process of our programs that this process or one of its descendants has started, as every account on
/// the machine can (`/proc/PID/cmdline`); other tests may play beside it.
final class ArgumentWatch: Sendable {
    private static let pause: TimeInterval = 0.005
    private static let programs = ["/signet", "/signet-server", "/signet-push-sink"]

    private struct State {
        var isOver = false
        /// Processes that this process did not start, or that ran before.
        var foreign: Set<String> = []
        /// The arguments that were seen last of each process.
        var seen: [String: [UInt8]] = [:]
        var lines: [[UInt8]] = []
    }

    private let state: Mutex<State>

    /// Begins to watch; what runs already is left out.
    init() {
        state = Mutex(State(foreign: Self.running()))
        let thread = Thread { [weak self] in
            while let watch = self, watch.look() { Thread.sleep(forTimeInterval: Self.pause) }
        }
        thread.start()
    }

    /// The arguments of each process so far, divided by NUL.
    var lines: [[UInt8]] { state.withLock { $0.lines } }

    /// Stops watching; returns the arguments of each process, divided by NUL.
    func end() -> [[UInt8]] {
        state.withLock { state in
            state.isOver = true
            return state.lines
        }
    }

    /// Whether there is more to see.
    ///
    /// Between its fork and its exec a process has the arguments of the one that started it, which may be one of our programs
    /// too: each is read again until it ends.
    private func look() -> Bool {
        let running = Self.running()
        state.withLock { state in
            // The number of a process that has ended is given to another one.
            state.foreign.formIntersection(running)
            state.seen = state.seen.filter { running.contains($0.key) }
            for number in running where !state.foreign.contains(number) {
                guard state.seen[number] != nil || Self.isOurs(number) else {
                    state.foreign.insert(number)
                    continue
                }
                guard let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline").map(Array.init),
                    state.seen.updateValue(line, forKey: number) != line
                else { continue }
                let program = String(decoding: line.prefix { $0 != 0 }, as: UTF8.self)
                if Self.programs.contains(where: program.hasSuffix) { state.lines.append(line) }
            }
        }
        return state.withLock { !$0.isOver }
    }

    /// The numbers of all processes of the machine.
    private static func running() -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return Set(names.filter { $0.utf8.first.map { (0x31...0x39).contains($0) } == true })
    }

    private static func isOurs(_ number: String) -> Bool {
        let own = String(ProcessInfo.processInfo.processIdentifier)
        var next: String? = number
        while let number = next, number != own { next = parent(of: number) }
        return next == own
    }

    /// The number of the process that a process belongs to; nil of the first one, and of one that is gone.
    private static func parent(of number: String) -> String? {
        guard let line = FileManager.default.contents(atPath: "/proc/\(number)/stat") else { return nil }
        // The name stands in brackets and may have any sign in it; state and parent follow (proc(5)).
        let words = String(decoding: line, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
        return words?.dropFirst().first.map(String.init).flatMap { $0 == "0" ? nil : $0 }
    }
}
