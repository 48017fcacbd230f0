import BackendAPI

/// What came of a request that the device signed.
enum DeviceAnswer<Body> {
    case done(Body)
    case refused(DeviceRefusal)
}

extension DeviceAnswer: Sendable where Body: Sendable {}

/// Credentials and records that a server is to forget.
struct DeviceRemoval: Hashable, Sendable {
    var credentials: [DeviceChange.Removal] = []
    var targetIDs: [String] = []

    var isEmpty: Bool { credentials.isEmpty && targetIDs.isEmpty }
}

/// What is to be different in the record of this device.
struct TargetChange: Hashable, Sendable {
    var name: DeviceName?
    var destination: PushDestination?

    var isEmpty: Bool { name == nil && destination == nil }
}
