import Logging
import Synchronization

/// Log of deliveries that a test reads.
final class DeliveryLog: Sendable {
    private let recorded = Mutex<[String]>([])

    /// Lines so far: level, message and fields.
    var lines: [String] { recorded.withLock { $0 } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: DeliveryLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).filter { $0.key != "id" }.sorted { $0.key < $1.key }
            let text = fields.map { " \($0.key)=\($0.value)" }.joined()
            log.recorded.withLock { $0.append("\(event.level): \(event.message)\(text)") }
        }
    }
}
