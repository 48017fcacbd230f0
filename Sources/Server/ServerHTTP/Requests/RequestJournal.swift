import Synchronization

/// What handlers note about a request for its log line and its metrics.
final class RequestJournal: Sendable {
    private struct Entries {
        var statusCode: Int?
        var endpoint = "unknown"
        var refusal: RequestRefusal?
    }

    private let entries = Mutex(Entries())

    /// The UAF status code of the answer, if it has one.
    var statusCode: Int? {
        get { entries.withLock { $0.statusCode } }
        set { entries.withLock { $0.statusCode = newValue } }
    }

    /// Why the request was refused; nil when a service has answered it.
    var refusal: RequestRefusal? {
        get { entries.withLock { $0.refusal } }
        set { entries.withLock { $0.refusal = newValue } }
    }

    /// The endpoint as metrics name it: the path of its route, never what the client wrote.
    var endpoint: String {
        get { entries.withLock { $0.endpoint } }
        set { entries.withLock { $0.endpoint = newValue } }
    }
}
