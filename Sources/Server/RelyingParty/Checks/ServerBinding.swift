import UAF

/// Check of the server binding: the client has asked this server, and for this very request.
///
/// A client that names its exchange when it asks for a request names the same one in what is signed. So a request from
/// one exchange is answered in no other, and an answer that the client means for another server is worthless here.
/// Neither stops an attacker inside the TLS connection who copies the name of the exchange: that takes the channel
/// binding.
enum ServerBindingCheck {
    static func require(
        _ binding: ServerBinding?, of request: SentRequest, rule: ServerBindingRule
    ) throws(RefusalReason) {
        let origins: Set<String>
        let mustBeStated: Bool
        switch rule {
        case .ignored: return
        case .verifiedWhenStated(let known): (origins, mustBeStated) = (known, false)
        case .required(let known): (origins, mustBeStated) = (known, true)
        }
        // A request that was asked for in band and without a name only announces the rule to a client that is to obey it.
        guard !mustBeStated || binding != nil && (request.isOutOfBand || request.exchange != nil) else {
            throw .serverBinding
        }
        if let binding, !origins.contains(binding.origin) { throw .serverBinding }
        // Also without a binding: a client that has named its exchange would have stated it.
        guard binding?.exchange == request.exchange else { throw .serverBinding }
    }
}

/// Rule for the server binding in the final challenge parameters, an addition of this project.
///
/// The origins are those under which clients reach the server, in the spelling of `ServerBinding.origin(of:)`.
package enum ServerBindingRule: Hashable, Sendable {
    /// Nothing: any binding passes.
    case ignored
    /// A client that states a server or has named an exchange must be right; one that knows neither passes.
    case verifiedWhenStated(Set<String>)
    /// The client must state the server and, for a request that it has asked for, the exchange, and be right.
    case required(Set<String>)
}
