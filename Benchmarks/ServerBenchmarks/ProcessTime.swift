import Foundation

/// CPU time in seconds, in user mode and in the kernel.
struct ProcessTime: Sendable {
    let user: Double
    let system: Double

    /// No time.
    static let zero = ProcessTime(user: 0, system: 0)

    /// Sum of both.
    var total: Double { user + system }

    /// CPU time of another process with all its threads, as the kernel reports it (proc(5), `utime` and `stime`).
    init(ofProcess identifier: Int32) throws {
        try self.init(Self.fields(ofProcess: identifier), at: 11)
    }

    /// CPU time of a process, of its children that it has waited for, and of those that run.
    init(ofTree identifier: Int32) throws {
        let children = Self.children(of: identifier).compactMap { try? ProcessTime(ofProcess: $0) }
        let ended = try ProcessTime(Self.fields(ofProcess: identifier), at: 13)
        self = children.reduce(try ProcessTime(ofProcess: identifier) + ended, +)
    }

    private init(user: Double, system: Double) {
        self.user = user
        self.system = system
    }

    private init(_ fields: [Substring], at first: Int) throws {
        guard fields.count > first + 1, let user = Double(fields[first]), let system = Double(fields[first + 1]) else {
            throw BenchmarkFailure.noProcessTime
        }
        let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        self.init(user: user / ticksPerSecond, system: system / ticksPerSecond)
    }

    /// Processes that a process has begun.
    static func children(of identifier: Int32) -> [Int32] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { Int32($0) }.filter { process in
            guard let fields = try? fields(ofProcess: process), fields.count > 1 else { return false }
            return Int32(fields[1]) == identifier
        }
    }

    /// Fields of `stat` that follow the name of the program: the state is the first, the parent the second.
    private static func fields(ofProcess identifier: Int32) throws -> [Substring] {
        guard let content = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") else {
            throw BenchmarkFailure.noProcessTime
        }
        // The name of the program, in parentheses, may contain any character; the state follows the last parenthesis.
        return String(decoding: content, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    }

    static func + (first: ProcessTime, second: ProcessTime) -> ProcessTime {
        ProcessTime(user: first.user + second.user, system: first.system + second.system)
    }

    static func - (end: ProcessTime, start: ProcessTime) -> ProcessTime {
        ProcessTime(user: end.user - start.user, system: end.system - start.system)
    }
}
