import HTTPEngine
package import Hummingbird
import Logging
import NIOCore
import Octets
import OpenID
import ServerCore
import Synchronization
import UAF

/// Context of one request: what the server knows besides its bytes.
package struct BackendRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Address of the sender: of its socket, or as trusted proxies say; nil when the request came through no socket.
    var sender: IPAddress?
    /// Trace that the request belongs to, for error bodies and log lines; nil outside of a ``ServiceResponder``.
    var trace: TraceContext?
    /// Last component of the path, as it was sent, where the path of the service has a parameter.
    var lastComponent: Substring?
    /// Refusal of the request for the form of its head, of which it then says nothing reliable.
    let headRefusal: RequestRefusal?
    let requestLog = RequestLog()

    package init(source: ApplicationRequestContextSource) {
        self.init(source: source, origin: ConnectionOrigin.current)
    }

    init(source: ApplicationRequestContextSource, origin: ConnectionOrigin?) {
        coreContext = .init(source: source)
        sender = origin?.address ?? source.channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        headRefusal = origin?.fault.map { RequestRefusal($0) }
    }

    package var senderAddress: String? { sender?.description }

    var traceID: String { trace?.traceID ?? "" }

    var tracedLogger: Logger {
        var logger = logger
        logger[metadataKey: "traceId"] = "\(traceID)"
        return logger
    }

    func with(_ component: Substring?) -> BackendRequestContext {
        var context = self
        context.lastComponent = component
        return context
    }

    /// The key under which requests of this sender are counted, see ``ServerCore/ClientContext/network``.
    var network: String { sender?.networkKey ?? "" }
}

/// Notes of the handlers about a request, for its log line and its metrics.
final class RequestLog: Sendable {
    private struct Entries {
        var statusCode: Int?
        var isMiss = false
        var endpoint = "unknown"
        var refusal: RequestRefusal?
        var clientRefusal: OpenIDRefusal?
    }

    private let entries = Mutex(Entries())

    var statusCode: Int? {
        get { entries.withLock { $0.statusCode } }
        set { entries.withLock { $0.statusCode = newValue } }
    }

    /// Whether the answer is one to a secret that is not good, though its HTTP status does not say so.
    var isMiss: Bool {
        get { entries.withLock { $0.isMiss || $0.statusCode.map { $0 != Int(StatusCode.ok.rawValue) } ?? false } }
        set { entries.withLock { $0.isMiss = newValue } }
    }

    var refusal: RequestRefusal? {
        get { entries.withLock { $0.refusal } }
        set { entries.withLock { $0.refusal = newValue } }
    }

    /// Refusal of the request in the words of OpenID, by redirect, page or body; nil without one.
    var clientRefusal: OpenIDRefusal? {
        get { entries.withLock { $0.clientRefusal } }
        set { entries.withLock { $0.clientRefusal = newValue } }
    }

    /// The endpoint as metrics name it: the path of its route, never what the client wrote.
    var endpoint: String {
        get { entries.withLock { $0.endpoint } }
        set { entries.withLock { $0.endpoint = newValue } }
    }
}
