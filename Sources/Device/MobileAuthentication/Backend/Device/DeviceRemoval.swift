import BackendAPI

/// Credentials and records that a server is to forget.
struct DeviceRemoval: Hashable, Sendable {
    var credentials: [DeviceChange.Removal] = []
    var targetIDs: [String] = []

    var isEmpty: Bool { credentials.isEmpty && targetIDs.isEmpty }
}
