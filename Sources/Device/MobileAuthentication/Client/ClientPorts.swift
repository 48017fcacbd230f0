package import Authenticators
package import BackendTransport
package import UAF

/// What a client stands on; the initializer makes the real ones, tests and the virtual device hand in their own.
package struct ClientPorts: Sendable {
    /// The facet of the application.
    package var facetID: FacetID
    /// The authenticators with their keys.
    package var store: any AuthenticatorStore
    /// The way to servers.
    package var transport: any HTTPTransport
    /// Which family of devices this is one of.
    package var profile = DeviceProfile.iOS
    /// Where the keys live.
    package var keyProtection: DeviceCapabilities.KeyProtection = .software
    /// What weakens the protection of the keys, for developers; nil when nothing does.
    package var keyVaultWarning: String?
    package var clock: any MonotonicClock = SystemMonotonicClock()
    package var wallClock: any WallClock = SystemWallClock()
    package var logger: (any SDKLogger)?

    package init(facetID: FacetID, store: any AuthenticatorStore, transport: any HTTPTransport) {
        self.facetID = facetID
        self.store = store
        self.transport = transport
    }
}
