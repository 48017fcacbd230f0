package import BackendAPI
import JOSE

/// The dispatch target that a registration goes with.
package enum TargetLink: Sendable, Hashable {
    /// A new target, which never replaces another; its name gets a number when the user has a target of that name.
    ///
    /// The user may then have at most `limit` targets.
    case new(DispatchTarget, limit: Int)
    /// A target that is there, named by a request that its key has signed.
    case existing(SignedRequest)

    package var id: DispatchTargetID {
        switch self {
        case .new(let target, _): target.id
        case .existing(let request): request.targetID
        }
    }
}

/// Change of a dispatch target; what is nil stays as it is.
package struct TargetChange: Sendable, Hashable {
    package var name: DeviceName?
    package var destination: PushDestination?
    /// Whether the push destination is taken away; the device itself can only switch it off.
    package var unsetsDestination = false
    package var dispatcher: DispatcherName?
    package var encryptionKey: DeviceKey?

    package init() {}
}
