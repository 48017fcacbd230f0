package import UAF

/// Where a phone redeems a token, by operation; the server's own service where nothing is said.
package struct RedeemAddresses: Sendable, Hashable {
    /// For registrations; nil: the server's own service.
    package var registration: String?
    /// For authentications; nil: the server's own service.
    package var authentication: String?
    /// For deregistrations; nil: the server's own service.
    package var deregistration: String?

    /// The defaults.
    package init() {}

    /// The absolute URL that goes into the payload; `origin` is where clients reach the server.
    package func address(for operation: Operation, origin: String) -> String {
        switch operation {
        case .registration: registration ?? origin + "/nevisfido/token/redeem/registration"
        case .authentication: authentication ?? origin + "/nevisfido/token/redeem/authentication"
        case .deregistration: deregistration ?? origin + "/nevisfido/token/redeem/deregistration"
        }
    }
}
