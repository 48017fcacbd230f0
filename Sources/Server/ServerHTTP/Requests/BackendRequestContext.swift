package import Hummingbird
import NIOCore

/// What the server knows about one request besides its bytes.
package struct BackendRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Address of the client in text form; nil when the request came through no socket.
    package let clientAddress: String?
    /// The connection, to be closed when a request cannot be read to its end.
    let channel: any Channel
    /// Trace that the request belongs to.
    var traceID = ""
    /// What is noted for the log line and the metrics.
    let journal = RequestJournal()

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        clientAddress = source.channel.remoteAddress?.ipAddress
    }

    /// The key under which requests of this client are counted: an IPv4 address, or the network of an IPv6 one.
    var addressKey: String {
        guard let clientAddress else { return "" }
        guard clientAddress.contains(":") else { return clientAddress }
        // A subscriber has at least a whole /64 and could otherwise take a fresh address for each request.
        return clientAddress.split(separator: ":", omittingEmptySubsequences: false).prefix(4).joined(separator: ":")
    }
}
