import Octets
package import UAFClient

extension DeviceInformation {
    func applying(_ change: DeviceRecordChange) -> DeviceInformation {
        switch change {
        case .name(let name): describing { Taken(name: name, fcmRegistrationToken: $0.fcmRegistrationToken) }
        case .pushToken(let token): describing { Taken(name: $0.name, fcmRegistrationToken: token) }
        case .refused(let servers, let changes):
            changes.reduce(self) { information, change in
                information.refused(by: Set(servers.map(\.identity)), information.applying(change))
            }
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

    private typealias Taken = AtServer.Taken

    private var here: Taken { Taken(name: name, fcmRegistrationToken: fcmRegistrationToken) }

    /// Changes the description of this device, the one that was given last, and those that single servers have.
    private func describing(_ change: (Taken) -> Taken) -> DeviceInformation {
        let (here, given) = (change(here), change(wanted ?? here))
        let entries = atServers?.mapValues { entry in
            let there = entry.taken.map(change)
            return AtServer(deviceId: entry.deviceId, taken: there == given ? nil : there)
        }
        return DeviceInformation(
            name: here.name, fcmRegistrationToken: here.fcmRegistrationToken, deviceId: deviceId,
            idUsernamePairs: idUsernamePairs, wanted: given == here ? nil : given, atServers: entries)
    }

    /// Takes a change back for this device and for the servers that have refused it; for all others it counts.
    private func refused(by servers: Set<String>, _ changed: DeviceInformation) -> DeviceInformation {
        var entries = changed.atServers ?? [:]
        for server in servers {
            entries[server] = AtServer(
                deviceId: entries[server]?.deviceId, taken: atServers?[server]?.taken ?? wanted ?? here)
        }
        return DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId,
            idUsernamePairs: idUsernamePairs, wanted: changed.wanted ?? changed.here, atServers: entries)
    }

    private func with(_ entry: AtServer, at server: ServerAddress) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId,
            idUsernamePairs: idUsernamePairs, wanted: wanted,
            atServers: (atServers ?? [:]).merging([server.identity: entry]) { $1 })
    }

    /// The information with an identifier for a server; what another one held of servers stays.
    func identified(by id: String, at server: ServerAddress, after before: DeviceInformation?) -> DeviceInformation {
        let known = DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: before?.deviceId ?? id,
            idUsernamePairs: idUsernamePairs, wanted: wanted ?? before?.wanted, atServers: before?.atServers)
        return known.with(AtServer(deviceId: id, taken: before?.atServers?[server.identity]?.taken), at: server)
    }

    /// The information as one server is given it.
    func given(to server: ServerAddress) -> DeviceInformation {
        let entry = atServers?[server.identity]
        let taken = entry?.taken ?? wanted ?? here
        return DeviceInformation(
            name: taken.name, fcmRegistrationToken: taken.fcmRegistrationToken, deviceId: entry?.deviceId ?? deviceId,
            idUsernamePairs: idUsernamePairs)
    }

    func with(pairs: [IdUsernamePair]) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId, idUsernamePairs: pairs,
            wanted: wanted, atServers: atServers)
    }
}

/// Device with the information and keys that a new record at a server needs.
package struct PreparedDevice: Hashable, Sendable {
    /// Name, push token and identifier for the server; the identifier is always there.
    package let information: DeviceInformation
    package let keys: DeviceServerKeys
}

// MARK: - For the machines

extension DeviceInformation: DeviceDescription {}

extension DeviceInformation {
    /// The information as the application gets it: not what single servers know, which would link them.
    init(_ record: DeviceRecord) {
        self.init(
            name: record.description.name, fcmRegistrationToken: record.description.pushToken?.reveal(),
            deviceId: record.deviceID,
            idUsernamePairs: record.links.map { IdUsernamePair(identifier: $0.identifier, username: $0.username) })
    }
}

extension DeviceRecord {
    init(_ information: DeviceInformation) {
        self.init(
            name: information.name, pushToken: information.fcmRegistrationToken.map { Sensitive($0) },
            deviceID: information.deviceId,
            links: information.idUsernamePairs.map { Link(identifier: $0.identifier, username: $0.username) },
            wanted: information.wanted.map(Description.init),
            atServers: (information.atServers ?? [:]).mapValues {
                AtServer(deviceID: $0.deviceId, taken: $0.taken.map(Description.init))
            })
    }
}

extension DeviceRecord.Description {
    fileprivate init(_ taken: DeviceInformation.AtServer.Taken) {
        self.init(name: taken.name, pushToken: taken.fcmRegistrationToken.map { Sensitive($0) })
    }
}

extension DeviceSnapshot {
    /// Takes a snapshot; `credentials` are all keys, also pending ones, in the order in which they were made.
    package init(
        models: [Model], credentials: [LocalCredential], deviceInformation: DeviceInformation?,
        deviceKeys: [DeviceServerKeys] = [], departed: [Departure] = [], damagedCount: Int = 0
    ) {
        self.init(
            models: models, credentials: credentials, record: deviceInformation.map { DeviceRecord($0) },
            deviceKeys: deviceKeys, departed: departed, damagedCount: damagedCount)
    }

    package var deviceInformation: DeviceInformation? { record.map { DeviceInformation($0) } }
}
