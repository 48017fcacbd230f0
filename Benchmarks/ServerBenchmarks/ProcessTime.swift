import Foundation

/// CPU time in seconds, in user mode and in the kernel.
struct ProcessTime {
    let user: Double
    let system: Double

    /// Sum of both.
    var total: Double { user + system }

    /// CPU time of another process with all its threads, as the kernel reports it (proc(5), `utime` and `stime`).
    init(ofProcess identifier: Int32) throws {
        guard let content = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") else {
            throw BenchmarkFailure.noProcessTime
        }
        // The name of the program, in parentheses, may contain any character; the third field follows the last
        // parenthesis.
        let fields = String(decoding: content, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchmarkFailure.noProcessTime
        }
        let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        self.init(user: user / ticksPerSecond, system: system / ticksPerSecond)
    }

    private init(user: Double, system: Double) {
        self.user = user
        self.system = system
    }

    static func - (end: ProcessTime, start: ProcessTime) -> ProcessTime {
        ProcessTime(user: end.user - start.user, system: end.system - start.system)
    }
}
