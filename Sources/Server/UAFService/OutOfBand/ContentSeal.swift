import BackendAPI
import Octets
import ServerCore

/// Keeps the content of a payload for the device that asks what is pending.
///
/// The database has the token as a hash, and no link or picture that holds it; this is the only other copy, encrypted
/// with a key of the server (AES-256-GCM) and tied to its ceremony. It is deleted when the token is redeemed or runs
/// out.
struct ContentSeal: Sendable {
    private static let version: UInt8 = 1

    let keys: KeyService
    let random: any RandomSource

    func seal(_ content: OutOfBandContent, for id: CeremonyID) throws(ServerError) -> [UInt8] {
        let key = try keys.current(.serverData)
        let prefix = [Self.version] + key.id.octets
        let nonce = random.bytes(count: AuthenticatedEncryption.nonceByteCount)
        return prefix
            + AuthenticatedEncryption.seal(
                content.body, key: key.material, nonce: nonce, binding: Self.binding(prefix, id))
    }

    /// The content; nil when it was changed or its key is gone.
    func open(_ sealed: [UInt8], for id: CeremonyID) -> OutOfBandContent? {
        let prefixCount = 1 + ServerKeyID.byteCount
        guard sealed.count > prefixCount, sealed[0] == Self.version,
            let keyID = ServerKeyID(sealed[1..<prefixCount]), let key = keys.key(keyID, .serverData),
            let content = try? AuthenticatedEncryption.open(
                sealed.dropFirst(prefixCount), key: key.material,
                binding: Self.binding(Array(sealed.prefix(prefixCount)), id))
        else { return nil }
        return try? OutOfBandContent(body: content)
    }

    private static func binding(_ prefix: [UInt8], _ id: CeremonyID) -> [UInt8] {
        prefix + Array("out-of-band content".utf8) + id.octets
    }
}
