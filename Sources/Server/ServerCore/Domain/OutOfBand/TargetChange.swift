package import BackendAPI

/// What a change gives a target; what is nil stays as it is.
package struct TargetChange: Sendable, Hashable {
    /// The new name.
    package var name: DeviceName?
    /// The new push destination.
    package var destination: PushDestination?
    /// Whether the push destination is taken away; the device itself can only switch it off.
    package var unsetsDestination = false
    /// The new dispatcher.
    package var dispatcher: DispatcherName?
    /// The new key to seal with.
    package var encryptionKey: DeviceKey?

    /// A change of nothing; the rest is set afterwards.
    package init() {}
}
