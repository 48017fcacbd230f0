import Logging
import Synchronization

/// A log that a test reads.
final class RecordedLog: Sendable {
    private let recorded = Mutex<[String]>([])

    /// The lines so far, each with its level and fields.
    var lines: [String] { recorded.withLock { $0 } }

    /// A logger that writes here, every level.
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            log.recorded.withLock { $0.append("\(event.level): \(event.message)\(fields)") }
        }
    }
}
