import Foundation

/// CPU time in seconds, in the program and in the kernel on its behalf.
struct ProcessTime {
    let user: Double
    let system: Double

    /// Both together.
    var total: Double { user + system }

    /// Time of another process with all its threads, as the kernel counts it (proc(5), `utime` and `stime`).
    init(ofProcess identifier: Int32) throws {
        guard let content = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") else {
            throw BenchmarkFailure.noProcessTime
        }
        // The name of the program, in parentheses, may hold anything; the third field follows the last one.
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
