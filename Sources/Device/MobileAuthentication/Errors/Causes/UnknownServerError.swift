public import Foundation

/// A payload points to a server that is neither the configured one nor one that an account is registered with.
///
/// It comes as the cause of a `MalformedPayload`; nothing was sent to that server, and the token stays unredeemed.
public struct UnknownServerError: LocalizedError, Hashable, Sendable {
    /// Says nothing about the server: the payload may be an attacker's.
    public init() {}

    /// Says what happened.
    public var errorDescription: String? { "The payload points to a server that this device does not know." }

    /// Says what the developers of the application can do where the server is their own.
    public var recoverySuggestion: String? {
        "If it is the server of this application under another name, list its origin in "
            + "Configuration.additionalRedeemOrigins; otherwise another party made the payload."
    }
}
