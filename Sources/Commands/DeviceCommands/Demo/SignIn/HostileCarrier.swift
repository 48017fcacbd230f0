import BackendTransport

/// Transport of a network attacker, who changes or repeats the messages that pass through it.
protocol HostileCarrier: HTTPTransport {
    /// UAF status of the server's latest response to a UAF response of the phone; nil before the first one.
    var lastStatus: Int? { get }
}
