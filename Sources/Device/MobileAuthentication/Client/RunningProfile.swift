import Authenticators
import Synchronization
import UAF

/// The profile that `AuthenticatorAaid.rawValue` and `MetaData.applicationFacetId` speak of: that of the client that was made
/// last in this process.
///
/// Neither has a client to ask, and an application has one client; nothing inside the SDK reads them.
enum RunningProfile {
    private struct Facts {
        var models = DeviceProfile.iOS
        var facetID: FacetID?
    }

    private static let stored = Mutex(Facts())

    /// The models of the device.
    static var current: DeviceProfile { stored.withLock { $0.models } }

    /// The facet of the application; nil before there is a client.
    static var facetID: FacetID? { stored.withLock { $0.facetID } }

    static func change(to models: DeviceProfile, _ facetID: FacetID) {
        stored.withLock { $0 = Facts(models: models, facetID: facetID) }
    }
}
