import Octets

/// Statement of the chip about a key, made by TPM2_Certify, with everything that a server needs to judge it.
package struct ChipKeyStatement: Hashable, Sendable {
    /// Version of ``octets``.
    private static let version: UInt16 = 1

    /// TPMS_ATTEST, as the chip signed it.
    package let attest: [UInt8]
    /// TPMT_SIGNATURE over it, by an attestation key.
    package let signature: [UInt8]
    /// TPMT_PUBLIC of the key.
    package let publicArea: [UInt8]
    /// TPMS_NV_PUBLIC of the index that counts wrong PINs; empty for a key without a counted secret.
    package let index: [UInt8]
    /// TPMS_ATTEST about the content of the index, and TPMT_SIGNATURE over it; empty like the index.
    package let counts: [UInt8]
    package let countsSignature: [UInt8]

    /// The statement as it is sent: a version (16 bits), then the six parts, each behind its size (16 bits).
    package var octets: [UInt8] {
        var writer = OctetWriter(capacity: 640)
        writer.writeUInt16LittleEndian(Self.version.byteSwapped)
        for part in [attest, signature, publicArea, index, counts, countsSignature] {
            writer.writeUInt16LittleEndian(UInt16(truncatingIfNeeded: part.count).byteSwapped)
            writer.write(part)
        }
        return writer.bytes
    }
}
