import Authenticators
import Locking
import UAF

/// Client that was made last in this process, as `AuthenticatorAaid.rawValue`, `MetaData.applicationFacetId` and
/// `MetaData.keyVaultWarning` describe it.
///
/// None of the three has a client to ask, and an application has one client; nothing inside the SDK reads them.
enum RunningProfile {
    private struct Facts {
        var models = DeviceProfile.iOS
        var facetID: FacetID?
        var keyVaultWarning: String?
    }

    private static let stored = Lock(Facts())

    /// The models of the device.
    static var current: DeviceProfile { stored.withLock { $0.models } }

    /// The facet of the application; nil before there is a client.
    static var facetID: FacetID? { stored.withLock { $0.facetID } }

    /// Warning about the keys of the client; nil when nothing weakens them, and before there is a client.
    static var keyVaultWarning: String? { stored.withLock { $0.keyVaultWarning } }

    static func change(to ports: ClientPorts) {
        let facts = Facts(models: ports.profile, facetID: ports.facetID, keyVaultWarning: ports.keyVaultWarning)
        stored.withLock { $0 = facts }
    }
}
