import Logging
import TestSupport

extension RecordedLog {
    /// The status of the first request that is answered from now on.
    var status: String? {
        get async { await next("request")?.metadata["status"] }
    }

    /// The lines of requests so far.
    var requests: [Entry] { entries.filter { $0.message == "request" } }

    var highestLevel: Logger.Level { entries.map(\.level).max() ?? .trace }
}
