import CTSS2
package import HardwareKeys
import Octets

/// Key that signs only what the chip states, as a file holds it.
///
/// A server learns by a credential, which ``TPMKeyVault/recover(_:for:)`` opens, that the chip of an endorsement
/// certificate holds it.
package struct ChipAttestationKey: Hashable, Sendable {
    private static let envelope = RecordEnvelope("SGTA")

    let blobs: KeyBlobs

    init(blobs: KeyBlobs) {
        self.blobs = blobs
    }

    /// Reads a file.
    ///
    /// Throws `KeyVaultError.damaged` and `KeyVaultError.newerFormat`.
    package init(octets: [UInt8]) throws(KeyVaultError) {
        var reading = RecordReading(try Self.envelope.unwrap(octets))
        blobs = try reading.blobs()
        try reading.finish()
    }

    /// The file.
    package var octets: [UInt8] {
        var writer = OctetWriter(capacity: 512)
        writer.write(blobs)
        return Self.envelope.wrap(writer.bytes)
    }

    /// The public area (TPMT_PUBLIC), for the server.
    package var publicArea: [UInt8] { blobs.structure }
}

/// Secret of a server for one chip, as TPM2_MakeCredential gives it.
package struct ChipCredential: Hashable, Sendable {
    /// TPM2B_ID_OBJECT.
    package let credential: [UInt8]
    /// TPM2B_ENCRYPTED_SECRET.
    package let encryptedSeed: [UInt8]

    /// Takes what a server sent.
    package init(credential: [UInt8], encryptedSeed: [UInt8]) {
        self.credential = credential
        self.encryptedSeed = encryptedSeed
    }

    /// Both structures as the library takes them; throws `KeyVaultError.damaged` when a size is not that of the bytes.
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
