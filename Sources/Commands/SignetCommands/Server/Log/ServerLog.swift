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

/// Writes each log event as a line for a person at a terminal.
struct TextLineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level

    private let timestamp: @Sendable () -> String
    private let write: @Sendable ([UInt8]) -> Void

    /// Makes the handler of one logger.
    ///
    /// `timestamp` gives the present time as text; `write` takes whole lines with their line feed.
    init(
        level: Logger.Level, timestamp: @escaping @Sendable () -> String,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        logLevel = level
        self.timestamp = timestamp
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var merged = metadata
        merged.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        merged.merge(event.metadata ?? [:]) { _, new in new }
        if let error = event.error { merged["error"] = "\(type(of: error))" }
        let details = merged.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let level = event.level <= .notice ? "" : "\(event.level.rawValue): "
        let text = level + event.message.description + (details.isEmpty ? "" : "  " + details)
        // Nothing that a stranger has sent can end the line, colour it or move the cursor.
        write(Array("\(timestamp())  \(ForeignText.name(text))\n".utf8))
    }
}

/// Leaves out of the log what the libraries report as an error whenever they are told to stop.
struct CancellationFilter<Handler: LogHandler>: LogHandler {
    private var handler: Handler

    /// Hands everything else on to `handler`.
    init(_ handler: Handler) {
        self.handler = handler
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if !Self.isStop(event) { handler.log(event: event) }
    }

    /// Hummingbird tells the end of its accept loop as text alone; nothing else that it or anybody says is meant.
    private static func isStop(_ event: LogEvent) -> Bool {
        if event.error is CancellationError { return true }
        return event.source == "HummingbirdCore"
            && event.message.description == "Waiting on child channel: \(CancellationError())"
    }
}
