import Crypto
package import ServerCore

/// Seal of what web sites leave with the server until it is sent or asked for again.
///
/// AES-256-GCM with a key for each purpose (HKDF-SHA-256, RFC 5869), derived from the key of the server that is never
/// renewed: an answer is kept for a day, longer than a renewed key opens what it has sealed.
package struct OpenIDSeal: Sendable {
    /// Purpose of a sealed text; one of another purpose does not open.
    package enum Purpose: String, Sendable, Hashable, CaseIterable {
        case notification = "signet ciba notification"
        case answer = "signet idempotent answer"
        case consoleForm = "signet console form"
    }

    private let keys: KeyService
    private let random: any RandomSource

    package init(keys: KeyService, random: any RandomSource) {
        self.keys = keys
        self.random = random
    }

    /// Seals octets for the row of this name; throws ``ServerError/storageUnavailable`` before the keys are read.
    package func seal(_ octets: [UInt8], as purpose: Purpose, for row: [UInt8]) throws(ServerError) -> [UInt8] {
        let nonce = random.bytes(count: AuthenticatedEncryption.nonceByteCount)
        return AuthenticatedEncryption.seal(octets, key: try key(purpose), nonce: nonce, binding: row)
    }

    /// The octets; nil when they were changed, are of another row or purpose, or the master key was lost since.
    package func open(_ sealed: [UInt8], as purpose: Purpose, for row: [UInt8]) throws(ServerError) -> [UInt8]? {
        let key = try key(purpose)
        return try? AuthenticatedEncryption.open(sealed, key: key, binding: row)
    }

    private func key(_ purpose: Purpose) throws(ServerError) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: try keys.current(.decoy).material, info: Array(purpose.rawValue.utf8),
            outputByteCount: 32)
    }
}
