package import HardwareKeys
package import UAF
package import UAFClient

/// The authenticators of this device and the records of their keys; what uses a key is ``AuthenticatorKeys``.
///
/// Errors come as the failure that the operation ends with.
package protocol AuthenticatorStore: DeviceRecordStore {
    func snapshot() async throws(CeremonyFailure) -> DeviceSnapshot

    /// Current support of the platform for an authenticator, as far as it can be told at once; nil where finding out
    /// takes time.
    func supportAtOnce(of aaid: AAID) -> PlatformSupport?

    /// Throws ``CeremonyFailure/noDeviceLock`` when the device has no screen lock, after the keys that this costs were
    /// marked as unusable.
    func requireDeviceLock() async throws(CeremonyFailure)

    /// Makes a pending key a registered one, forgets other keys of the same account and authenticator, and remembers
    /// the identifier under which the server keeps this device for the account.
    func confirm(_ credential: CredentialID, target: String?) async throws(CeremonyFailure)

    /// Makes pending keys registered ones.
    func promote(_ credentials: [CredentialID]) async throws(CeremonyFailure)

    func markUnusable(_ credential: CredentialID) async throws(CeremonyFailure)

    /// Forgets keys; with the last one of an account its record goes, with the last of a server its device keys, and
    /// with the last of all the device information.
    ///
    /// From then on nothing here uses them; ``destroyForgottenKeys()`` takes them out of the vault.
    func remove(_ credentials: [CredentialID]) async throws(CeremonyFailure)

    /// Forgets keys as ``remove(_:)`` does, while the servers do not know: the record of an account without any key
    /// left, and the device keys for its server, stay until ``forgetDeparted(_:at:)``.
    func deleteHere(_ credentials: [CredentialID]) async throws(CeremonyFailure)

    /// The server knows that the accounts of these records were deleted here, or has nothing left of them.
    func forgetDeparted(_ identifiers: [String], at server: ServerAddress) async throws(CeremonyFailure)

    /// Forgets the keys whose records cannot be read; no server is told, because nothing says which.
    func giveUpDamaged() async throws(CeremonyFailure)

    /// Writes what is stored once more, so that a server is not asked to remove what could not be removed here.
    func requireWritable() async throws(CeremonyFailure)

    /// Destroys what was forgotten; what cannot be destroyed now stays written down for the next call.
    func destroyForgottenKeys() async
}

extension AuthenticatorStore {
    package func supportAtOnce(of aaid: AAID) -> PlatformSupport? { nil }
}

/// Store for the identity of this installation at its servers: a name, a push token, an identifier, and two keys for
/// each server.
///
/// Errors come as the failure that the operation ends with.
package protocol DeviceRecordStore: Sendable {
    /// Makes the keys for a server and keeps the device information, each unless there is one; returns what is stored
    /// then.
    ///
    /// Throws ``CeremonyFailure/wrongUse(_:)`` when there is no device information and none was given.
    func prepareDevice(
        for server: ServerAddress, _ fresh: DeviceInformation?
    ) async throws(CeremonyFailure) -> PreparedDevice

    /// Signs with the key for a server (ECDSA with SHA-256 on P-256: r and s, 32 bytes each).
    func signForDevice(_ octets: [UInt8], at server: ServerAddress) async throws(CeremonyFailure) -> [UInt8]

    /// Agrees on a secret with a point (X9.63, 65 bytes) and the key for a server.
    func agree(with point: [UInt8], at server: ServerAddress) async throws(CeremonyFailure) -> VaultSecret

    /// Changes the device information; does nothing when there is none.
    func change(_ changes: [DeviceRecordChange]) async throws(CeremonyFailure)
}
