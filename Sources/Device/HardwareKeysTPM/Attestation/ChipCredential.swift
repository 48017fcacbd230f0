import CTSS2
import HardwareKeys
import Octets

/// Secret of a server for one chip, as TPM2_MakeCredential gives it.
package struct ChipCredential: Hashable, Sendable {
    /// TPM2B_ID_OBJECT.
    package let credential: [UInt8]
    /// TPM2B_ENCRYPTED_SECRET.
    package let encryptedSeed: [UInt8]

    package init(credential: [UInt8], encryptedSeed: [UInt8]) {
        self.credential = credential
        self.encryptedSeed = encryptedSeed
    }

    /// Both structures as the library takes them; throws `KeyVaultError.damaged` when a size does not fit the bytes.
    func buffers() throws(KeyVaultError) -> (TPM2B_ID_OBJECT, TPM2B_ENCRYPTED_SECRET) {
        (try Self.buffer(of: credential), try Self.buffer(of: encryptedSeed))
    }

    private static func buffer<Buffer: SizedBuffer>(of octets: [UInt8]) throws(KeyVaultError) -> Buffer {
        var reader = OctetReader(octets)
        guard let size = try? reader.readUInt16LittleEndian().byteSwapped, reader.rest.count == Int(size),
            Int(size) <= MemoryLayout<Buffer>.size - MemoryLayout<UInt16>.size
        else { throw .damaged }
        return Buffer(reader.rest)
    }
}
