package import BackendAPI
import UAF

/// Failure of a request that the device signed; each cause is what the server answered.
package enum DeviceRefusal: Error {
    /// The server does not accept the signature: the record whose key signed is gone.
    case notAccepted(any Error)
    /// The server, or a proxy in front of it, does not allow the request.
    case forbidden(any Error)
    case clockSkew(any Error)
    case unsupported((any Error)?)
    /// The server does not know what the request is about.
    case unknown(any Error)
    /// Another device of the user has the name.
    case nameInUse(any Error)
    case failed(CeremonyFailure)

    /// Failure of an operation that has no specific error for the refusal.
    package var failure: CeremonyFailure {
        switch self {
        case .clockSkew(let error): .clockSkew(error)
        case .unsupported(let error): .unsupportedByServer(cause: error)
        case .unknown(let error), .nameInUse(let error), .notAccepted(let error), .forbidden(let error): .network(error)
        case .failed(let failure): failure
        }
    }
}

/// Result of a request that the device signed.
package enum DeviceAnswer<Body> {
    case done(Body)
    case refused(DeviceRefusal)
}

extension DeviceAnswer: Sendable where Body: Sendable {}

/// Credentials and records to be removed from a server.
package struct DeviceRemoval: Hashable, Sendable {
    package var credentials: [DeviceChange.Removal]
    package var targetIDs: [String]

    package init(credentials: [DeviceChange.Removal] = [], targetIDs: [String] = []) {
        self.credentials = credentials
        self.targetIDs = targetIDs
    }

    package var isEmpty: Bool { credentials.isEmpty && targetIDs.isEmpty }

    /// Whether nothing is left of an account of this device afterwards: its record goes, or all its keys.
    package func includes(_ target: DeviceSnapshot.Target) -> Bool {
        targetIDs.contains(where: target.isRecord)
            || credentials.contains { $0.username == target.username && $0.aaid == nil && $0.keyID == nil }
    }
}
