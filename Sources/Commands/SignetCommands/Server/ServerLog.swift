import Logging
import Metrics
import ServerConfiguration
import ServerCore
import ServerHTTP
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The log of the server on standard error: lines of JSON, or lines for a person in a terminal.
enum ServerLog {
    /// Makes the process's logger, which writes through `write`; `isForPeople` chooses the form of its lines.
    static func logger(
        level: Deployment.LogLevel, isForPeople: Bool = false,
        write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) -> Logger {
        let clock = SystemWallClock()
        let level = Logger.Level(rawValue: level.rawValue) ?? .info
        return Logger(label: "signet-server") { label -> any LogHandler in
            if isForPeople {
                return CancellationFilter(
                    TextLineLogHandler(level: level, timestamp: { Self.timeOfDay(clock.now()) }, write: write))
            }
            return CancellationFilter(
                JSONLineLogHandler(label: label, level: level, timestamp: { clock.now().iso8601 }, write: write))
        }
    }

    /// Whether lines are for a person, by the setting, the option `--format` and where standard error goes.
    static func isForPeople(
        _ setting: Deployment.LogFormat, _ option: OutputFormat, inTerminal: Bool = isatty(STDERR_FILENO) == 1
    ) -> Bool {
        guard option == .text else { return false }
        return switch setting {
        case .automatic: inTerminal
        case .text: true
        case .json: false
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

    /// `12:03:04` of `2026-11-23T12:03:04.567Z`; UTC, as everywhere in the log.
    private static func timeOfDay(_ time: Timestamp) -> String {
        String(time.iso8601.dropFirst("2026-11-23T".count).prefix("12:03:04".count))
    }
}
