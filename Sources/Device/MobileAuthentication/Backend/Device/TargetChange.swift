import BackendAPI

/// Changes to the server's record of this device.
struct TargetChange: Hashable, Sendable {
    var name: DeviceName?
    var destination: PushDestination?

    var isEmpty: Bool { name == nil && destination == nil }
}
