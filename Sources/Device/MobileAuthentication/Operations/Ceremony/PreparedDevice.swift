import Octets
package import UAFClient

extension DeviceInformation {
    func applying(_ change: DeviceRecordChange) -> DeviceInformation {
        switch change {
        case .name(let name): with(name: name)
        case .pushToken(let token): with(pushToken: token)
        case .remember(let link):
            with(
                pairs: idUsernamePairs.filter { !$0.username.hasSameOctets(as: link.username) }
                    + [IdUsernamePair(identifier: link.identifier, username: link.username)])
        case .forget(let link):
            // Identifiers are the servers' to choose: another one may have chosen the same.
            with(
                pairs: idUsernamePairs.filter {
                    !($0.identifier.hasSameOctets(as: link.identifier) && $0.username.hasSameOctets(as: link.username))
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

/// Device with the information and keys that a new record at a server needs.
package struct PreparedDevice: Hashable, Sendable {
    /// Name, push token and identifier; the identifier is always there.
    package let information: DeviceInformation
    package let keys: DeviceServerKeys
}

// MARK: - For the machines

extension DeviceInformation: DeviceDescription {}

extension DeviceInformation {
    init(_ record: DeviceRecord) {
        self.init(
            name: record.name, fcmRegistrationToken: record.pushToken?.reveal(), deviceId: record.deviceID,
            idUsernamePairs: record.links.map { IdUsernamePair(identifier: $0.identifier, username: $0.username) })
    }
}

extension DeviceRecord {
    init(_ information: DeviceInformation) {
        self.init(
            name: information.name, pushToken: information.fcmRegistrationToken.map { Sensitive($0) },
            deviceID: information.deviceId,
            links: information.idUsernamePairs.map { Link(identifier: $0.identifier, username: $0.username) })
    }
}

extension DeviceSnapshot {
    /// Takes a snapshot; `credentials` are all keys, also pending ones, in the order in which they were made.
    package init(
        models: [Model], credentials: [LocalCredential], deviceInformation: DeviceInformation?,
        deviceKeys: [DeviceServerKeys] = [], departed: [Departure] = []
    ) {
        self.init(
            models: models, credentials: credentials, record: deviceInformation.map { DeviceRecord($0) },
            deviceKeys: deviceKeys, departed: departed)
    }

    package var deviceInformation: DeviceInformation? { record.map { DeviceInformation($0) } }
}
