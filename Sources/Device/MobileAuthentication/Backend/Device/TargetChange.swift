import BackendAPI

/// What is to be different in the record of this device.
struct TargetChange: Hashable, Sendable {
    var name: DeviceName?
    var destination: PushDestination?

    var isEmpty: Bool { name == nil && destination == nil }
}
