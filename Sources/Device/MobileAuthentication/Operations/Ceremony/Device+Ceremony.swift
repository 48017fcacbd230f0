import BackendAPI
import Octets

/// Change of the device information stored on this device.
package enum DeviceRecordChange: Hashable, Sendable {
    case name(String)
    /// Another push token, or none.
    case pushToken(String?)
    /// A server has a record for a user; it replaces another one of that user.
    case remember(DeviceInformation.IdUsernamePair)
    /// The server of that user has no record of that identifier.
    case forget(DeviceInformation.IdUsernamePair)
}

extension DeviceInformation {
    /// The information after a change.
    func applying(_ change: DeviceRecordChange) -> DeviceInformation {
        switch change {
        case .name(let name): with(name: name)
        case .pushToken(let token): with(pushToken: token)
        case .remember(let pair):
            with(pairs: idUsernamePairs.filter { !$0.username.hasSameOctets(as: pair.username) } + [pair])
        case .forget(let pair):
            // Identifiers are the servers' to choose: another one may have chosen the same.
            with(
                pairs: idUsernamePairs.filter {
                    !($0.identifier.hasSameOctets(as: pair.identifier) && $0.username.hasSameOctets(as: pair.username))
                })
        }
    }

    func with(name: String) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId,
            idUsernamePairs: idUsernamePairs)
    }

    func with(pushToken: String?) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: pushToken, deviceId: deviceId, idUsernamePairs: idUsernamePairs)
    }

    func with(pairs: [IdUsernamePair]) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId, idUsernamePairs: pairs)
    }
}

/// The public keys of this installation for a server: points on P-256, uncompressed (X9.63, 65 bytes).
package struct DeviceServerKeys: Hashable, Sendable {
    /// The server.
    package let server: ServerAddress
    /// Key that verifies signatures of the device.
    package let signing: [UInt8]
    /// Key that encrypts to the device.
    package let agreement: [UInt8]

    package init(server: ServerAddress, signing: [UInt8], agreement: [UInt8]) {
        self.server = server
        self.signing = signing
        self.agreement = agreement
    }
}

/// Device with the information and keys that a new record at a server needs.
package struct PreparedDevice: Hashable, Sendable {
    /// Name, push token and identifier; the identifier is always there.
    package let information: DeviceInformation
    /// The keys for the server.
    package let keys: DeviceServerKeys
}

/// Credentials and records to be removed from a server.
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

/// Result of a request that the device signed.
enum DeviceAnswer<Body> {
    case done(Body)
    case refused(DeviceRefusal)
}

extension DeviceAnswer: Sendable where Body: Sendable {}
