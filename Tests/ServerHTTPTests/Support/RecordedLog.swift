import Logging
import Synchronization

/// Keeps what is logged, and lets a test wait for the line of a request.
final class RecordedLog: Sendable {
    /// One line of the log.
    struct Entry: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private let statuses: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let kept = Mutex<[Entry]>([])

    init() {
        (statuses, continuation) = AsyncStream.makeStream()
    }

    /// Keeps lines at info and above.
    var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    /// The status of the first request that is answered from now on.
    var status: String? {
        get async { await statuses.first { _ in true } }
    }

    /// All lines so far.
    var entries: [Entry] { kept.withLock { $0 } }

    /// The lines of requests so far.
    var requests: [Entry] { entries.filter { $0.message == "request" } }

    var highestLevel: Logger.Level { entries.map(\.level).max() ?? .trace }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            let entry = Entry(level: event.level, message: event.message.description, metadata: metadata)
            log.kept.withLock { $0.append(entry) }
            if entry.message == "request" { log.continuation.yield(metadata["status"] ?? "") }
        }
    }
}
