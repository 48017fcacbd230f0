package import BackendAPI
import Octets
package import UAF

/// Snapshot of this device, taken when an operation begins to look at it.
package struct DeviceSnapshot: Hashable, Sendable {
    /// Authenticator model of the device, whether it can be used or not.
    package struct Model: Hashable, Sendable {
        package let aaid: AAID
        package let characteristics: AuthenticatorCharacteristics
        package let support: Support

        package init(aaid: AAID, characteristics: AuthenticatorCharacteristics, support: Support) {
            self.aaid = aaid
            self.characteristics = characteristics
            self.support = support
        }
    }

    /// Conditions for the use of an authenticator: hardware, operating system, enrolment.
    package struct Support: Hashable, Sendable {
        package let isSupportedByHardware: Bool
        package let isSupportedByOs: Bool
        /// Whether a finger, a face or a passcode is set up; without meaning for secrets that the SDK checks.
        package let isEnrolled: Bool

        package let isUsable: Bool
        /// Whether it can be chosen by an application that accepts weaker sensors (Android profile).
        package let isUsableWithClass2Sensor: Bool

        package init(
            isSupportedByHardware: Bool, isSupportedByOs: Bool, isEnrolled: Bool, isUsable: Bool,
            isUsableWithClass2Sensor: Bool
        ) {
            self.isSupportedByHardware = isSupportedByHardware
            self.isSupportedByOs = isSupportedByOs
            self.isEnrolled = isEnrolled
            self.isUsable = isUsable
            self.isUsableWithClass2Sensor = isUsableWithClass2Sensor
        }

        package static let complete = Support(
            isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: true, isUsable: true,
            isUsableWithClass2Sensor: true)
    }

    /// All authenticator models of the device, in the order in which they are shown.
    package let models: [Model]
    package let record: DeviceRecord?
    /// The keys of the device itself, one pair for each server.
    package let deviceKeys: [DeviceServerKeys]
    /// The accounts that were deleted here, and whose servers have not been told.
    package let departed: [Departure]
    /// Number of keys whose records cannot be read.
    package let damagedCount: Int
    /// All keys of users; operations reach them by the scope of a server only.
    private var keyring: ServerScope.Keyring

    /// Takes a snapshot; `credentials` are all keys, also pending ones, in the order in which they were made.
    package init(
        models: [Model], credentials: [LocalCredential], record: DeviceRecord?,
        deviceKeys: [DeviceServerKeys] = [], departed: [Departure] = [], damagedCount: Int = 0
    ) {
        self.damagedCount = damagedCount
        self.departed = departed
        self.deviceKeys = deviceKeys
        self.models = models
        self.record = record
        keyring = ServerScope.Keyring(credentials)
    }

    /// The same snapshot in an application that is configured for a server.
    package func configured(for server: ConfiguredServer) -> DeviceSnapshot {
        var snapshot = self
        snapshot.keyring.configured = server
        return snapshot
    }

    /// Scope of a server: the keys and records that it may reach.
    package func scope(at server: ServerAddress) -> ServerScope { keyring.scope(at: server) }

    /// The scope of the server where a user has keys; nil for a user without any.
    package func home(of username: UserName) -> ServerScope? {
        keyring.home(of: username).map { keyring.scope(at: $0) }
    }

    /// The scopes of all servers, for what the owner of the device asks for themselves.
    package var scopes: [ServerScope] { keyring.servers.map { keyring.scope(at: $0) } }

    /// The keys whose registration no server has answered; the application does not see them.
    package var unanswered: [LocalCredential] { scopes.flatMap(\.keys).filter { $0.state == .pending } }

    /// The registered keys of all servers, as the application may know them.
    package var registrations: [ServerScope.Registration] { keyring.registrations }
}

extension DeviceSnapshot {
    /// Record that a server holds of this device for one user.
    package struct Target: Hashable, Sendable {
        /// The identifier that the server gave to it.
        package let identifier: String
        package let username: UserName
        package let server: ServerAddress

        package init(identifier: String, username: UserName, server: ServerAddress) {
            self.identifier = identifier
            self.username = username
            self.server = server
        }

        package func isRecord(_ identifier: String) -> Bool { self.identifier.hasSameOctets(as: identifier) }
    }

    /// Account that was deleted here while its server has not been told.
    package struct Departure: Hashable, Sendable {
        /// The record that the server keeps of this device for the user; its key can still sign.
        package let target: Target
        package let deviceID: DeviceID
        package let credentials: [CredentialID]

        package init(target: Target, deviceID: DeviceID, credentials: [CredentialID]) {
            self.target = target
            self.deviceID = deviceID
            self.credentials = credentials
        }
    }

    /// Deletion of a user's account that a server was not told of yet.
    package func departure(of username: UserName, at server: ServerAddress) -> Departure? {
        departed.first { $0.target.username == username && $0.target.server == server }
    }

    /// The identifier of this installation for a server; nil for one that knows nothing of it.
    package func deviceID(at server: ServerAddress) -> DeviceID? {
        let own = record?.atServers[server.identity]?.deviceID.flatMap { DeviceID($0) }
        return own ?? departed.first { $0.target.server == server }?.deviceID
            ?? record?.deviceID.flatMap { DeviceID($0) }
    }

    /// Servers to ask about this device: those with registrations, then those that were not told of a deletion.
    package var concernedServers: [ServerAddress] {
        var seen: Set<ServerAddress> = []
        return (servers + departed.map(\.target.server)).filter { seen.insert($0).inserted }
    }

    /// The records whose key may sign for this device at a server: records in use, else records of deleted accounts.
    package func signers(at server: ServerAddress, preferring username: UserName? = nil) -> [Target] {
        let inUse = targets(at: server, preferring: username)
        return inUse.isEmpty ? departed.map(\.target).filter { $0.server == server } : inUse
    }

    /// The servers where this device has registrations, in their order.
    package var servers: [ServerAddress] {
        var seen: Set<ServerAddress> = []
        return registrations.map(\.server).filter { seen.insert($0).inserted }
    }

    /// The records that servers hold of this device.
    package var targets: [Target] {
        (record?.links ?? []).compactMap { link in
            registrations.first { $0.username.text.hasSameOctets(as: link.username) }.map {
                Target(identifier: link.identifier, username: $0.username, server: $0.server)
            }
        }
    }

    package func targets(at server: ServerAddress, preferring username: UserName? = nil) -> [Target] {
        let all = targets.filter { $0.server == server }
        return all.filter { $0.username == username } + all.filter { $0.username != username }
    }

    /// The servers whose keys may open what is encrypted to this device, by the hint that came with it.
    ///
    /// The hint is the thumbprint of a key or the identifier of a record; without one every key is tried.
    func servers(thatOpen keyID: String?) -> [ServerAddress] {
        guard let keyID else { return deviceKeys.map(\.server) }
        let byTarget = targets.filter { $0.isRecord(keyID) }.map(\.server)
        return deviceKeys.filter { keys in
            byTarget.contains(keys.server) || keys.agreementThumbprint?.hasSameOctets(as: keyID) ?? false
        }.map(\.server)
    }
}
