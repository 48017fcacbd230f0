import Crypto
import FoundationEssentials

/// Key derivation of the TPM library with one digest (TPM 2.0, part 1, section 11.4.10).
struct TPMKeyDerivation<Hash: HashFunction & SendableMetatype> {
    /// KDFa with a result of at most one digest: HMAC over a counter, the label, both contexts and the length.
    static func key(
        from seed: [UInt8], label: String, context: [UInt8] = [], byteCount: Int
    ) -> [UInt8] {
        let message =
            TPMNumber.bytes(1) + Array(label.utf8) + [0] + context + TPMNumber.bytes(UInt32(byteCount * 8))
        return Array(authentication(of: message, with: seed).prefix(byteCount))
    }

    /// KDFe with a result of one digest: the shared coordinate, the label, and both parties' coordinates.
    static func seed(sharing coordinate: [UInt8], label: String, ephemeral: [UInt8], own: [UInt8]) -> [UInt8] {
        Array(Hash.hash(data: TPMNumber.bytes(1) + coordinate + Array(label.utf8) + [0] + ephemeral + own))
    }

    /// HMAC of a message.
    static func authentication(of message: [UInt8], with key: [UInt8]) -> [UInt8] {
        Array(HMAC<Hash>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}
