import Foundation
import Synchronization

/// Reads the arguments of every process of our programs, as anybody on the machine can (`/proc/PID/cmdline`).
final class ArgumentWatch: Sendable {
    private static let pause: TimeInterval = 0.005
    private static let programs = ["/signet", "/signet-server", "/signet-push-sink"]

    private struct State {
        var isOver = false
        var known: Set<String> = []
        var lines: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// Begins to watch.
    init() {
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
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for number in numbers where number.utf8.first.map({ (0x31...0x39).contains($0) }) == true {
            guard state.withLock({ !$0.known.contains(number) }),
                let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
            else { continue }
            // A process that has not become its program yet is looked at again.
            let program = String(decoding: line.prefix { $0 != 0 }, as: UTF8.self)
            guard Self.programs.contains(where: { program.hasSuffix($0) }) else { continue }
            state.withLock { state in
                state.known.insert(number)
                state.lines.append(Array(line))
            }
        }
        return state.withLock { !$0.isOver }
    }
}
