public import Foundation

/// A host that the debug flavour of the SDK does not talk to, because it is neither loopback, private nor listed;
/// nothing was sent.
///
/// It comes as the cause of a `NetworkError`. Hosts for development are listed in ``Configuration/debugFlavorHosts``;
/// for every other one the SDK is built without the trait `DebugFlavor`.
public struct ProductionHostError: LocalizedError, Hashable, Sendable {
    /// Creates the value; it has no parts.
    public init() {}

    /// Description of the error for developers.
    public var errorDescription: String? {
        "The debug flavour of the SDK talks to loopback, private and listed hosts only."
    }
}
