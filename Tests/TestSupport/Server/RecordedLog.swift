package import Logging
import Synchronization

/// Log that a test reads, and whose next line it can wait for.
package final class RecordedLog: Sendable {
    /// One line of the log.
    package struct Entry: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]

        /// Level, message and fields, the fields by name; one field may be left out.
        package func line(without field: String? = nil) -> String {
            let fields = metadata.filter { $0.key != field }.sorted { $0.key < $1.key }
            return "\(level): \(message)" + fields.map { " \($0.key)=\($0.value)" }.joined()
        }
    }

    private let level: Logger.Level
    private let kept = Mutex<[Entry]>([])
    private let (stream, continuation) = AsyncStream<Entry>.makeStream()

    /// Keeps the lines of a level and above.
    package init(_ level: Logger.Level = .notice) {
        self.level = level
    }

    /// A logger that writes here.
    package var logger: Logger { Logger(label: "test") { [level] _ in Handler(log: self, logLevel: level) } }

    /// Lines so far, in parts.
    package var entries: [Entry] { kept.withLock { $0 } }

    /// Lines so far, each with its level and fields.
    package var lines: [String] { entries.map { $0.line() } }

    /// Lines since the last call.
    package func take() -> [String] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept.map { $0.line() }
        }
    }

    /// The next line with a message that no call has returned or passed over; nil when the task is cancelled.
    package func next(_ message: String) async -> Entry? { await stream.first { $0.message == message } }

    private func record(_ entry: Entry) {
        kept.withLock { $0.append(entry) }
        continuation.yield(entry)
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            log.record(Entry(level: event.level, message: event.message.description, metadata: metadata))
        }
    }
}
