package import CommandSupport
import Foundation
package import Logging
import Metrics
package import ServerConfiguration
import ServerCore
package import ServerHTTP
import Synchronization

/// Log of the server on standard error, as lines of JSON or as lines of text for a terminal.
package enum ServerLog {
    /// Logger of the process with the name of its program, which writes through `write`; `isForPeople` selects lines of
    /// text.
    package static func logger(
        label: String = "signet-server", level: Deployment.LogLevel, isForPeople: Bool = false,
        write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) -> Logger {
        let clock = SystemWallClock()
        let level = Logger.Level(rawValue: level.rawValue) ?? .info
        return Logger(label: label) { label -> any LogHandler in
            if isForPeople {
                return CancellationFilter(
                    TextLineLogHandler(level: level, timestamp: { Self.timeOfDay(clock.now()) }, write: write))
            }
            return CancellationFilter(
                JSONLineLogHandler(label: label, level: level, timestamp: { clock.now().iso8601 }, write: write))
        }
    }

    /// Whether the log has lines of text: according to the option `--format` and the setting, which by default chooses
    /// text when standard error is a terminal.
    package static func isForPeople(_ setting: Deployment.LogFormat, _ option: OutputFormat) -> Bool {
        isForPeople(setting, option, inTerminal: isatty(STDERR_FILENO) == 1)
    }

    /// The same for a standard error of which it is known whether it is a terminal.
    static func isForPeople(_ setting: Deployment.LogFormat, _ option: OutputFormat, inTerminal: Bool) -> Bool {
        guard option == .text else { return false }
        return switch setting {
        case .automatic: inTerminal
        case .text: true
        case .json: false
        }
    }

    /// Queue of a running server, which counts dropped lines in `metrics`.
    package static func queue(metrics: MetricsRegistry) -> LogQueue {
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

    /// Logger for short-lived commands, at the level `error`.
    package static let quiet = logger(level: .error)

    /// Time of day for a log line: `12:03:04` of `2026-11-23T12:03:04.567Z`, in UTC as everywhere in the log.
    private static func timeOfDay(_ time: Timestamp) -> String {
        String(time.iso8601.dropFirst("2026-11-23T".count).prefix("12:03:04".count))
    }
}

/// Log handler that writes each event as a line of text for a terminal.
struct TextLineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level

    private let timestamp: @Sendable () -> String
    private let write: @Sendable ([UInt8]) -> Void

    /// Handler of one logger.
    ///
    /// `timestamp` returns the present time as text; `write` receives complete lines with their line feed.
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
        // Escaped, so that untrusted content cannot end the line, colour it or move the cursor.
        write(Array("\(timestamp())  \(ForeignText.name(text))\n".utf8))
    }
}

/// Log handler that drops the errors that libraries report whenever they are cancelled.
struct CancellationFilter<Handler: LogHandler>: LogHandler {
    private var handler: Handler

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

    /// Hummingbird reports the end of its accept loop as text alone; no other event has this text.
    private static func isStop(_ event: LogEvent) -> Bool {
        if event.error is CancellationError { return true }
        return event.source == "HummingbirdCore"
            && event.message.description == "Waiting on child channel: \(CancellationError())"
    }
}
