package import HardwareKeys

/// What this installation is to its servers: a name, a push token, an identifier, and two keys for each server.
///
/// Errors come as the failure that the operation ends with.
package protocol DeviceRecordStore: Sendable {
    /// Makes the keys for a server and keeps the device information, each unless there is one; gives what counts then.
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
