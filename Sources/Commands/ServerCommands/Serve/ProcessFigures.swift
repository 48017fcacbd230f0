import CommandSupport
import Foundation
import ServerHTTP

/// Figures of this process under the names that Prometheus' client libraries give them, from `/proc`.
struct ProcessFigures {
    let processorSeconds: Double
    /// Moment of its start, in seconds since 1970.
    let startSeconds: Double
    let residentByteCount: Double

    /// Reads the lines of `/proc/self/stat` and `/proc/stat` (proc(5)); nil for others.
    init?(stat: String, systemStat: String, ticksPerSecond: Double, pageByteCount: Double) {
        // The name of the program, in parentheses, may have blanks and parentheses itself.
        guard let end = stat.lastIndex(of: ")"), ticksPerSecond > 0 else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        let boot = systemStat.split(separator: "\n").first { $0.hasPrefix("btime ") }?.split(separator: " ").last
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
            let start = Double(fields[19]), let pages = Double(fields[21].trimmingCharacters(in: .newlines)),
            let boot = boot.flatMap({ Double($0) })
        else { return nil }
        processorSeconds = (user + system) / ticksPerSecond
        startSeconds = boot + start / ticksPerSecond
        residentByteCount = pages * pageByteCount
    }

    /// Figures of this process now; nil where the system has no such files.
    static var current: ProcessFigures? {
        guard let stat = text("/proc/self/stat"), let systemStat = text("/proc/stat") else { return nil }
        return ProcessFigures(
            stat: stat, systemStat: systemStat, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
            pageByteCount: Double(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// Writes the version into `metrics`, and the figures of this process each time these are read.
    static func report(to metrics: MetricsRegistry) {
        metrics.put(1, into: "signet_build_info", .gauge, [("version", Program.version)])
        metrics.beforeReading { metrics in
            if let figures = current {
                metrics.put(figures.processorSeconds, into: "process_cpu_seconds_total", .counter)
                metrics.put(figures.startSeconds, into: "process_start_time_seconds", .gauge)
                metrics.put(figures.residentByteCount, into: "process_resident_memory_bytes", .gauge)
            }
            if let (open, limit) = descriptors {
                metrics.put(Double(open), into: "process_open_fds", .gauge)
                metrics.put(Double(limit), into: "process_max_fds", .gauge)
            }
        }
    }

    /// Files and sockets that are open, and that may be open; nil where the system does not tell.
    static var descriptors: (open: Int, limit: Int)? {
        guard let limit = DescriptorLimit.current(),
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        else { return nil }
        // One of them is the folder that was just read.
        return (names.count - 1, Int(clamping: limit.soft))
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
