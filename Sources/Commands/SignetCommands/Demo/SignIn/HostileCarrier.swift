import BackendTransport

/// A network that attacks what it carries.
protocol HostileCarrier: HTTPTransport {
    /// The UAF status of the server's last answer to a phone's response; nil before.
    var lastStatus: Int? { get }
}
