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
