import Authenticators
import BackendAPI
import Foundation
package import HardwareKeys
import Octets
import UAF
package import UAFClient

extension LocalAuthenticators {
    package func prepareDevice(
        for server: ServerAddress, _ fresh: DeviceInformation?
    ) async throws(CeremonyFailure) -> PreparedDevice {
        guard fresh?.isStorable ?? true else { throw .wrongUse(InvalidParameterError("deviceInformation")) }
        let stored = try await update { contents -> DeviceInformation? in
            let before = contents.deviceInformation.flatMap(DeviceInformation.init(stored:))
            let isFirst = contents.credentials.allSatisfy { $0.state == .pending }
            guard let information = isFirst ? fresh ?? before : before ?? fresh else { return nil }
            let id = contents.deviceID(at: server, before) ?? derivedDeviceID(at: server, contents)
            let identified = information.identified(by: id, at: server, after: before)
            guard let octets = identified.storedForm else { return nil }
            contents.remember(deviceInformation: octets)
            return identified
        }
        guard let information = stored?.given(to: server) else {
            throw .wrongUse(MissingParameterError("deviceInformation"))
        }
        let spelling = try await spelling(of: server)
        do throws(AuthenticatorError) {
            let keys = try await DeviceKeyring(ports).makeKeys(for: spelling)
            return PreparedDevice(
                information: information,
                keys: DeviceServerKeys(server: server, signing: keys.signing, agreement: keys.agreement))
        } catch {
            throw CeremonyFailure(error)
        }
    }

    package func signForDevice(
        _ octets: [UInt8], at server: ServerAddress
    ) async throws(CeremonyFailure) -> [UInt8] {
        let spelling = try await spelling(of: server)
        do throws(AuthenticatorError) {
            return try await DeviceKeyring(ports).sign(octets, for: spelling)
        } catch {
            throw CeremonyFailure(error)
        }
    }

    package func agree(
        with point: [UInt8], at server: ServerAddress
    ) async throws(CeremonyFailure) -> VaultSecret {
        let spelling = try await spelling(of: server)
        do throws(AuthenticatorError) {
            return try await DeviceKeyring(ports).agree(with: point, for: spelling)
        } catch {
            throw CeremonyFailure(error)
        }
    }

    package func change(_ changes: [DeviceRecordChange]) async throws(CeremonyFailure) {
        try await update { contents in
            contents.changeDeviceInformation { changes.reduce($0) { $0.applying($1) } }
        }
    }

    /// Spelling of a server's address in what is stored already; one server has one spelling.
    func spelling(of server: ServerAddress) async throws(CeremonyFailure) -> String {
        let contents = try await contents()
        let known = contents.credentials.map(\.owner.server) + contents.departed.map(\.owner.server)
        return known.first { URL(string: $0).map(ServerAddress.init) == server } ?? server.url.absoluteString
    }

    /// The bundle and 128 bits for the origin of the server, which a reinstallation finds again where the platform knows
    /// the installation.
    private func derivedDeviceID(at server: ServerAddress, _ contents: StoredCredentials) -> String {
        let identity = contents.identity(at: server.originText ?? server.identity, reinstalled: installationID)
        return "\(MetaData.bundleIdentifier)#\(Hex.encode(identity))"
    }
}

extension StoredCredentials {
    /// The identifier by which a server knows this installation already; nil for a server that knows none.
    ///
    /// Servers of registrations that were made before each had its own know the first one.
    fileprivate func deviceID(at server: ServerAddress, _ information: DeviceInformation?) -> String? {
        func isThere(_ owner: CredentialOwner) -> Bool { URL(string: owner.server).map(ServerAddress.init) == server }
        if let own = information?.atServers?[server.identity]?.deviceId { return own }
        if let account = departed.first(where: { isThere($0.owner) }) { return account.deviceID }
        return credentials.contains { $0.state != .pending && isThere($0.owner) } ? information?.deviceId : nil
    }

    /// Changes the device information, if there is any; a result that is too long for the record changes nothing.
    mutating func changeDeviceInformation(_ change: (DeviceInformation) -> DeviceInformation) {
        guard let information = deviceInformation.flatMap(DeviceInformation.init(stored:)) else { return }
        let changed = change(information)
        guard changed != information, let octets = changed.storedForm else { return }
        remember(deviceInformation: octets)
    }

    /// Remembers the accounts that lose their last key with `credentials`, as far as a server has a record of them.
    mutating func rememberDeparted(without credentials: [CredentialID]) {
        guard let information = deviceInformation.flatMap(DeviceInformation.init(stored:)),
            information.deviceId != nil
        else { return }
        for pair in information.idUsernamePairs {
            let keys = self.credentials.filter {
                $0.state != .pending && $0.owner.user.text.hasSameOctets(as: pair.username)
            }
            guard let owner = keys.first?.owner, keys.allSatisfy({ credentials.contains($0.id) }),
                let deviceID = URL(string: owner.server).flatMap({ deviceID(at: ServerAddress($0), information) }),
                let account = DepartedAccount(
                    owner: owner, deviceID: deviceID, recordID: pair.identifier, credentials: keys.map(\.id))
            else { continue }
            remember(departed: account)
        }
    }

    /// Keeps the records of servers for those users only who have a registration here.
    mutating func forgetTargetsWithoutCredentials() {
        let users = credentials.filter { $0.state != .pending }.map(\.owner.user.text)
        changeDeviceInformation { information in
            information.with(
                pairs: information.idUsernamePairs.filter { pair in
                    users.contains { $0.hasSameOctets(as: pair.username) }
                })
        }
    }
}

extension DeviceSnapshot.Departure {
    /// Reads what is stored; nil when no server can be meant by it.
    init?(_ account: DepartedAccount) {
        guard let server = URL(string: account.owner.server), let deviceID = DeviceID(account.deviceID) else {
            return nil
        }
        self.init(
            target: DeviceSnapshot.Target(
                identifier: account.recordID, username: account.owner.user, server: ServerAddress(server)),
            deviceID: deviceID, credentials: account.credentials)
    }
}
