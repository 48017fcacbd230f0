import Logging

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
