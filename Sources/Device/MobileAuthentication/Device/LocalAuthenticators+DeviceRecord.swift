import Authenticators
import Foundation
package import HardwareKeys
import Octets
import UAF

extension LocalAuthenticators {
    package func prepareDevice(
        for server: ServerAddress, _ fresh: DeviceInformation?
    ) async throws(CeremonyFailure) -> PreparedDevice {
        // A first registration whose answer was lost has left an identifier that the server may know.
        let known = try await contents().deviceInformation.flatMap(DeviceInformation.init(stored:))?.deviceId
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

    /// How the address of a server is spelled in what is stored already; one server has one spelling.
    func spelling(of server: ServerAddress) async throws(CeremonyFailure) -> String {
        let known = try await contents().credentials.map(\.owner.server)
        return known.first { URL(string: $0).map(ServerAddress.init) == server } ?? server.url.absoluteString
    }

    /// The bundle and 128 bits: those of the installation, or random ones where a reinstallation finds nothing again.
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
