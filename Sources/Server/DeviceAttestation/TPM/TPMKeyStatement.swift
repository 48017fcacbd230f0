import Octets

/// Statement of a chip about a key of an authenticator, as a registration carries it.
package struct TPMKeyStatement: Hashable, Sendable {
    private static let version: UInt16 = 1
    private static let partByteLimit = 1024

    /// TPMS_ATTEST, as the chip signed it.
    package let attest: [UInt8]
    /// TPMT_SIGNATURE over it.
    package let signature: [UInt8]
    /// TPMT_PUBLIC of the key.
    package let publicArea: [UInt8]
    /// TPMS_NV_PUBLIC of the index that counts wrong PINs; empty for a key without its own PIN.
    package let index: [UInt8]
    /// TPMS_ATTEST about the content of the index, and TPMT_SIGNATURE over it; empty like the index.
    package let counts: [UInt8]
    package let countsSignature: [UInt8]

    package init(
        attest: [UInt8], signature: [UInt8], publicArea: [UInt8], index: [UInt8] = [], counts: [UInt8] = [],
        countsSignature: [UInt8] = []
    ) {
        self.attest = attest
        self.signature = signature
        self.publicArea = publicArea
        self.index = index
        self.counts = counts
        self.countsSignature = countsSignature
    }

    /// Reads a statement: a version (16 bits), then the six parts in order, each behind its size (16 bits).
    ///
    /// Throws ``TPMRefusal``, `malformed` with `statement`.
    package init(octets: [UInt8]) throws(TPMRefusal) {
        var reader = TPMReader(octets, as: .statement)
        guard try reader.readUInt16() == Self.version else { throw .malformed(.statement) }
        attest = try reader.readBuffer(limit: Self.partByteLimit)
        signature = try reader.readBuffer(limit: Self.partByteLimit)
        publicArea = try reader.readBuffer(limit: Self.partByteLimit)
        index = try reader.readBuffer(limit: Self.partByteLimit)
        counts = try reader.readBuffer(limit: Self.partByteLimit)
        countsSignature = try reader.readBuffer(limit: Self.partByteLimit)
        try reader.finish()
    }

    package var octets: [UInt8] {
        var writer = OctetWriter()
        writer.writeUInt16LittleEndian(Self.version.byteSwapped)
        for part in [attest, signature, publicArea, index, counts, countsSignature] {
            writer.writeUInt16LittleEndian(UInt16(truncatingIfNeeded: part.count).byteSwapped)
            writer.write(part)
        }
        return writer.bytes
    }
}
