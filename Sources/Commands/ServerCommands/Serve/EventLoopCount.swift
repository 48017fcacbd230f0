import Foundation
import NIOCore

/// Number of event loops of this process: threads of which each reads, writes and runs the requests of its connections.
enum EventLoopCount {
    /// Environment variable of swift-nio with which an operator names another number.
    static let variable = "NIO_SINGLETON_GROUP_LOOP_COUNT"

    /// Number for the processors that this process may use, as many as swift-nio would take at most; nil where the environment
    /// names one.
    ///
    /// swift-nio knows what a control group leaves a process, but not its affinity (`CPUAffinity=` of systemd, `taskset`):
    /// event loops that share a processor take it from each other, and answer less.
    static func chosen(
        environment: [String: String] = ProcessInfo.processInfo.environment, processors: Int? = processorsOfAffinity,
        limit: Int = System.coreCount
    ) -> Int? {
        environment[variable] == nil ? max(1, min(processors ?? limit, limit)) : nil
    }

    /// Sets the number; once in a process, before anything uses an event loop.
    static func set() {
        if let count = chosen() { NIOSingletons.groupLoopCountSuggestion = count }
    }

    static var inUse: Int { NIOSingletons.groupLoopCountSuggestion }

    /// Processors in the affinity mask of this process; nil where the kernel does not tell.
    static var processorsOfAffinity: Int? {
        FileManager.default.contents(atPath: "/proc/self/status").flatMap { processors(inStatus: $0) }
    }

    /// Processors in the mask of a process (proc(5), `Cpus_allowed`): hexadecimal digits with a comma after each eight.
    static func processors(inStatus status: Data) -> Int? {
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        guard let mask = lines.first(where: { $0.hasPrefix("Cpus_allowed:") })?.split(separator: ":").last else {
            return nil
        }
        let count = mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }
}
