import Crypto
import Octets

/// Vault seal: AES-256-GCM under a key that only this device can make, alone or together with a secret.
///
/// The sealed form is salt 32, nonce 12, ciphertext, tag 16. Salt and nonce are fresh in every call, so each call has
/// another key: HKDF-SHA256 over (secret, if any) and device key, bound to the context.
struct VaultSeal: Sendable {
    /// Purpose of sealed bytes, authenticated with them; they open for no other.
    struct Context {
        let octets: [UInt8]

        init(_ purpose: StaticString, _ name: [UInt8] = []) {
            octets = Array("signet software vault ".utf8) + purpose.withUTF8Buffer { Array($0) } + [0] + name
        }
    }

    static let overhead = saltByteCount + 12 + 16
    private static let saltByteCount = 32

    private let deviceKey: VaultSecret

    init(_ deviceKey: VaultSecret) { self.deviceKey = deviceKey }

    func seal(
        _ plain: UnsafeRawBufferPointer, for context: Context, with secret: VaultSecret? = nil
    ) throws(KeyVaultError) -> [UInt8] {
        let salt = FreshOctets.make(count: Self.saltByteCount)
        defer { FreedMemory.wipe(.roundKeys) }
        do {
            let box = try AES.GCM.seal(plain, using: key(salt, context, secret), authenticating: context.octets)
            return salt + Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw .unsupportedRequirements
        }
    }

    /// Opens what ``seal(_:for:with:)`` made; nil when the bytes were changed, or with another secret or device.
    func open(
        _ sealed: some Collection<UInt8>, for context: Context, with secret: VaultSecret? = nil
    ) -> SecretOctets? {
        guard sealed.count >= Self.overhead else { return nil }
        defer { FreedMemory.wipe(.roundKeys) }
        let key = key(Array(sealed.prefix(Self.saltByteCount)), context, secret)
        guard let box = try? AES.GCM.SealedBox(combined: Array(sealed.dropFirst(Self.saltByteCount))),
            let plain = try? AES.GCM.open(box, using: key, authenticating: context.octets)
        else { return nil }
        return SecretOctets(moving: plain)
    }

    /// The same 32 bytes for the same context, and unrelated ones for another.
    func derived(for context: Context) -> VaultSecret { hashed([], context, nil) }

    private func key(_ salt: [UInt8], _ context: Context, _ secret: VaultSecret?) -> SymmetricKey {
        hashed(salt, context, secret).withUnsafeBytes { SymmetricKey(data: $0) }
    }

    func hashed(_ salt: [UInt8], _ context: Context, _ secret: VaultSecret?) -> VaultSecret {
        let secretByteCount = secret == nil ? 0 : VaultSecret.byteCount
        let material = SecretOctets(count: secretByteCount + VaultSecret.byteCount) { target in
            secret?.withUnsafeBytes { target.copyMemory(from: $0) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[secretByteCount...])
            deviceKey.withUnsafeBytes { rest.copyMemory(from: $0) }
        }
        return material.withUnsafeBytes { SecretHash.hkdf(from: $0, salt: salt, info: context.octets) }
    }
}
