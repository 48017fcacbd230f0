import Crypto
import Octets

/// The file of one private key, sealed so that a changed, cut or exchanged file is noticed.
struct SoftwareKeyFile {
    private let file: VaultFile
    private let reference: KeyReference
    private let sealingKey: SymmetricKey

    init(_ file: VaultFile, reference: KeyReference, sealingKey: SymmetricKey) {
        self.file = file
        self.reference = reference
        self.sealingKey = sealingKey
    }

    func read() throws(KeyVaultError) -> P256.Signing.PrivateKey {
        guard let payload = try file.readPayload() else { throw .unknownKey }
        do {
            let box = try AES.GCM.SealedBox(combined: payload)
            var scalar = Array(try AES.GCM.open(box, using: sealingKey, authenticating: reference.bytes))
            defer { SecretOctets.wipe(&scalar) }
            return try P256.Signing.PrivateKey(rawRepresentation: scalar)
        } catch {
            throw .damaged
        }
    }

    func write(_ key: P256.Signing.PrivateKey) throws(KeyVaultError) {
        var scalar = Array(key.rawRepresentation)
        defer { SecretOctets.wipe(&scalar) }
        let sealed: [UInt8]
        do {
            let box = try AES.GCM.seal(scalar, using: sealingKey, authenticating: reference.bytes)
            sealed = [UInt8](box.nonce) + box.ciphertext + box.tag
        } catch {
            throw .unsupportedRequirements
        }
        try file.write(payload: sealed)
    }

    func remove() throws(KeyVaultError) {
        try file.remove()
    }
}
