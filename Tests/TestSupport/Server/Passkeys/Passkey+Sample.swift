package import BackendAPI
package import OpenID
package import ServerCore
import StrictCBOR
import Testing
import WebAuthn

extension Passkey {
    /// A passkey of an authenticator in software, as it is stored.
    package init(
        of user: UserID, _ authenticator: SoftwareAuthenticator = SoftwareAuthenticator(), named name: DeviceName,
        at time: Timestamp, random: some RandomSource, isSynced: Bool = false
    ) throws {
        let record = PasskeyRecord(
            descriptor: CredentialDescriptor(id: authenticator.id, transports: ["internal", "\"ö\""]),
            user: user.octets, key: try CredentialKey(octets: CBORWriter.write(authenticator.key.cose)),
            model: try #require(AAGUID(octets: authenticator.model)), isBackupEligible: isSynced, wasUserVerified: true,
            state: PasskeyRecord.State(signCounter: authenticator.counter, isBackedUp: isSynced))
        self.init(
            id: RegistrationID(from: random), userID: user, record: record, attestation: .none, name: name,
            registeredAt: time)
    }
}
