import BackendAPI

/// Update of a dispatch target, the record that a server keeps of this device.
struct DispatchTargetUpdate: Hashable, Sendable {
    var name: DeviceName?
    var destination: PushDestination?

    var isEmpty: Bool { name == nil && destination == nil }
}
