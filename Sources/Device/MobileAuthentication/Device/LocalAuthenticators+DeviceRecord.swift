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
        // A first registration whose answer was lost has left an identifier that the server may know.
        // A server that was not told of a deletion knows this installation by the identifier of before.
        let before = try await contents()
        let known =
            before.deviceInformation.flatMap(DeviceInformation.init(stored:))?.deviceId
            ?? before.departed.first?.deviceID
        let fresh = try fresh.map { (information) throws(CeremonyFailure) in
            try information.stored(deviceID: known ?? freshDeviceID())
        }
        let stored = try await update { contents in
            let isFirst = contents.credentials.allSatisfy { $0.state == .pending }
            if isFirst || contents.deviceInformation == nil, let fresh { contents.remember(deviceInformation: fresh) }
            return contents.deviceInformation
        }
        guard let information = stored.flatMap(DeviceInformation.init(stored:)), information.deviceId != nil else {
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

    /// The bundle and 128 bits: the installation's, or random ones where a reinstallation finds nothing again.
    private func freshDeviceID() -> String {
        "\(MetaData.bundleIdentifier)#\(installationID ?? Hex.encode(FreshOctets.make(count: 16)))"
    }
}

extension StoredCredentials {
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
            let deviceID = information.deviceId
        else { return }
        for pair in information.idUsernamePairs {
            let keys = self.credentials.filter {
                $0.state != .pending && $0.owner.user.text.hasSameOctets(as: pair.username)
            }
            guard let owner = keys.first?.owner, keys.allSatisfy({ credentials.contains($0.id) }),
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
