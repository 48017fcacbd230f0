package import UAF

/// What a ceremony is for.
package enum CeremonyKind: UInt8, Sendable, Hashable, CaseIterable {
    /// Makes a key known.
    case registration = 1
    /// Proves possession of a known key.
    case authentication = 2

    /// The operation as the protocol names it.
    package var operation: Operation {
        switch self {
        case .registration: .registration
        case .authentication: .authentication
        }
    }
}
