import BackendAPI

/// Credentials and records that a server is to forget.
struct DeviceRemoval: Hashable, Sendable {
    var credentials: [DeviceChange.Removal] = []
    var targetIDs: [String] = []

    var isEmpty: Bool { credentials.isEmpty && targetIDs.isEmpty }

    /// Whether nothing is left of an account of this device afterwards: its record goes, or all its keys.
    func includes(_ target: DeviceSnapshot.Target) -> Bool {
        targetIDs.contains(where: target.isRecord)
            || credentials.contains { $0.username == target.username && $0.aaid == nil && $0.keyID == nil }
    }
}
