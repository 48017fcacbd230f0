import Logging
import Synchronization

/// A log that a test reads.
final class RecordingLog: Sendable {
    private let recorded = Mutex<[String]>([])

    /// The messages so far, each with its level and fields; reading empties the log.
    func take() -> [String] {
        recorded.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordingLog
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
