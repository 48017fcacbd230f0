import BackendAPI
import Octets
import UAF

extension DeviceSnapshot {
    /// A record that a server holds of this device for one user.
    struct Target: Hashable, Sendable {
        /// The identifier that the server gave to it.
        let identifier: String
        let username: UserName
        let server: ServerAddress
    }

    /// Account that was deleted here while its server has not been told.
    package struct Departure: Hashable, Sendable {
        /// The record that the server keeps of this device for the user; its key can still sign.
        let target: Target
        /// The identifier of this installation, as the server knows it.
        let deviceID: DeviceID
        /// The keys that were deleted.
        let credentials: [CredentialID]
    }

    /// What a server was not told yet of a user.
    func departure(of username: UserName, at server: ServerAddress) -> Departure? {
        departed.first { $0.target.username == username && $0.target.server == server }
    }

    /// The identifier of this installation; nil when it has no registration and has told every server of what was
    /// deleted.
    var deviceID: DeviceID? {
        deviceInformation?.deviceId.flatMap { DeviceID($0) } ?? departed.first?.deviceID
    }

    /// Whom to ask about this device: the servers with registrations, then those that were not told of a deletion.
    var concernedServers: [ServerAddress] {
        var seen: Set<ServerAddress> = []
        return (servers + departed.map(\.target.server)).filter { seen.insert($0).inserted }
    }

    /// The records whose key may sign for this device at a server: those in use, else those of deleted accounts.
    func signers(at server: ServerAddress, preferring username: UserName? = nil) -> [Target] {
        let inUse = targets(at: server, preferring: username)
        return inUse.isEmpty ? departed.map(\.target).filter { $0.server == server } : inUse
    }

    /// The servers where this device has registrations, in their order.
    var servers: [ServerAddress] {
        var seen: Set<ServerAddress> = []
        return registrations.map(\.server).filter { seen.insert($0).inserted }
    }

    /// The records that servers hold of this device.
    var targets: [Target] {
        (deviceInformation?.idUsernamePairs ?? []).compactMap { pair in
            registrations.first { $0.username.text.hasSameOctets(as: pair.username) }.map {
                Target(identifier: pair.identifier, username: $0.username, server: $0.server)
            }
        }
    }

    /// The records of one server, that of `username` first.
    func targets(at server: ServerAddress, preferring username: UserName? = nil) -> [Target] {
        let all = targets.filter { $0.server == server }
        return all.filter { $0.username == username } + all.filter { $0.username != username }
    }
}

extension DeviceSnapshot {
    /// The servers whose keys may open what is encrypted to this device, by the hint that came with it.
    ///
    /// The hint is the thumbprint of a key or the identifier of a record; without one every key is tried.
    func servers(thatOpen keyID: String?) -> [ServerAddress] {
        guard let keyID else { return deviceKeys.map(\.server) }
        let byTarget = targets.filter { $0.identifier.hasSameOctets(as: keyID) }.map(\.server)
        return deviceKeys.filter { keys in
            byTarget.contains(keys.server) || keys.agreementThumbprint?.hasSameOctets(as: keyID) ?? false
        }.map(\.server)
    }
}
