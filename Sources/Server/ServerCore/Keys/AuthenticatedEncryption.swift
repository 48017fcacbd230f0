package import Crypto

/// AES-256-GCM over byte arrays: nonce, ciphertext and tag one after the other (NIST SP 800-38D).
package enum AuthenticatedEncryption {
    package static let nonceByteCount = 12
    static let tagByteCount = 16
    static let overhead = nonceByteCount + tagByteCount

    /// The text was changed, or encrypted with another key or for another place.
    package struct Refusal: Error, Hashable {}

    package static func seal(_ plaintext: [UInt8], key: SymmetricKey, nonce: [UInt8], binding: [UInt8]) -> [UInt8] {
        precondition(nonce.count == nonceByteCount, "a nonce has 12 bytes")
        guard let gcmNonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(plaintext, using: key, nonce: gcmNonce, authenticating: binding),
            let sealed = box.combined
        else { preconditionFailure("AES-GCM seals with any 256-bit key and 12-byte nonce") }
        return Array(sealed)
    }

    package static func open(_ sealed: some Collection<UInt8>, key: SymmetricKey, binding: [UInt8]) throws(Refusal)
        -> [UInt8]
    {
        let bytes = Array(sealed)
        guard bytes.count >= overhead, let box = try? AES.GCM.SealedBox(combined: bytes),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: binding)
        else { throw Refusal() }
        return Array(plaintext)
    }
}
