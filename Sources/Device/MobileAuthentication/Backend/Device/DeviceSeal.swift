import HardwareKeys
import JOSE
import Octets

/// Opens what a server encrypted to this device; the agreement is made in the key vault.
struct DeviceSeal: Sendable {
    let store: any AuthenticatorStore

    /// The plaintext, and the server whose key opened it.
    ///
    /// Throws ``CeremonyFailure/device(_:)`` with a `JOSEError` when none of the keys opens it.
    func open(
        _ token: CompactJWE, withKeysFor servers: [ServerAddress]
    ) async throws(CeremonyFailure) -> (plaintext: [UInt8], server: ServerAddress) {
        for server in servers {
            let agreed = try await store.agree(with: token.ephemeralKey, at: server)
            let plaintext = agreed.withUnsafeBytes { secret in
                try? token.open(agreedSecret: SecretOctets(copying: secret))
            }
            if let plaintext { return (plaintext, server) }
        }
        throw .device(JOSEError.undecryptable)
    }
}
