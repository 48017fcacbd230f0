import Logging

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
