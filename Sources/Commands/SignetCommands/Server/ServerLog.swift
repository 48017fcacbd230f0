import Logging
import Metrics
import ServerConfiguration
import ServerCore
import ServerHTTP
import Synchronization

/// The log of the server: lines of JSON on standard error.
enum ServerLog {
    /// Makes the process's logger, which writes through `write`.
    static func logger(
        level: Deployment.LogLevel, write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) -> Logger {
        let clock = SystemWallClock()
        return Logger(label: "signet-server") { label in
            JSONLineLogHandler(
                label: label, level: Logger.Level(rawValue: level.rawValue) ?? .info,
                timestamp: { clock.now().iso8601 }, write: write)
        }
    }

    /// The queue of a running server, which counts in `metrics` what it leaves out.
    static func queue(metrics: MetricsRegistry) -> LogQueue {
        let omitted = Counter(label: "signet_log_lines_dropped_total", dimensions: [], factory: metrics)
        return LogQueue(
            write: StandardError.write,
            omission: { count in
                let line = Mutex<[UInt8]>([])
                logger(level: .warning) { bytes in line.withLock { $0 = bytes } }
                    .warning("lines of the log were left out", metadata: ["count": .stringConvertible(count)])
                return line.withLock { $0 }
            },
            dropped: { omitted.increment() })
    }

    /// For commands that only say what they did.
    static let quiet = logger(level: .error)
}
