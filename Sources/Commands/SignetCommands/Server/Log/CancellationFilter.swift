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
        let isStop = event.error is CancellationError || event.message.description.hasSuffix("CancellationError()")
        if !isStop { handler.log(event: event) }
    }
}
