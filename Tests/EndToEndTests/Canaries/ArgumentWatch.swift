import Foundation
import Synchronization

/// Reads the arguments of every process of our programs that this process or one of its descendants has started, as anybody on
/// the machine can (`/proc/PID/cmdline`); other tests may play beside it.
final class ArgumentWatch: Sendable {
    private static let pause: TimeInterval = 0.005
    private static let programs = ["/signet", "/signet-server", "/signet-push-sink"]

    private struct State {
        var isOver = false
        var known: Set<String> = []
        var lines: [[UInt8]] = []
    }

    private let state: Mutex<State>

    /// Begins to watch; what runs already is left out.
    init() {
        state = Mutex(State(known: Set(Self.running())))
        let thread = Thread { [weak self] in
            while let watch = self, watch.look() { Thread.sleep(forTimeInterval: Self.pause) }
        }
        thread.start()
    }

    /// Stops watching; returns the arguments of each process, divided by NUL.
    func end() -> [[UInt8]] {
        state.withLock { state in
            state.isOver = true
            return state.lines
        }
    }

    /// Whether there is more to see.
    private func look() -> Bool {
        let running = Self.running()
        // The number of a process that has ended is given to another one.
        state.withLock { $0.known.formIntersection(running) }
        for number in running {
            guard state.withLock({ !$0.known.contains(number) }),
                let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
            else { continue }
            // A process that has not become its program yet is looked at again.
            let program = String(decoding: line.prefix { $0 != 0 }, as: UTF8.self)
            guard Self.programs.contains(where: { program.hasSuffix($0) }), Self.isOurs(number) else { continue }
            state.withLock { state in
                state.known.insert(number)
                state.lines.append(Array(line))
            }
        }
        return state.withLock { !$0.isOver }
    }

    /// The numbers of all processes of the machine.
    private static func running() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { $0.utf8.first.map { (0x31...0x39).contains($0) } == true }
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
