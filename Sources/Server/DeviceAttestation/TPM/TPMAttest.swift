/// Statement of a chip that it holds an object (TPMS_ATTEST with TPMS_CERTIFY_INFO; TPM 2.0, part 2, section 10.12).
package struct TPMAttest: Hashable {
    /// Bytes of a TPM2B_NAME or TPM2B_DATA at most: a digest with its number.
    private static let nameByteLimit = 66

    /// Bytes that the asker gave the chip to sign with it.
    let qualification: [UInt8]
    /// The name of the object.
    let name: [UInt8]

    /// Reads a certification; throws `notGenerated`, `wrongStatementType`, or `malformed`.
    package init(_ bytes: [UInt8]) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .attest)
        guard try reader.readUInt32() == TPMNumber.generated else { throw .notGenerated }
        guard try reader.readUInt16() == TPMNumber.certification else { throw .wrongStatementType }
        // The qualified name of the signer: a digest over parents that only the chip knows.
        _ = try reader.readBuffer(limit: Self.nameByteLimit)
        qualification = try reader.readBuffer(limit: Self.nameByteLimit)
        // Clock, counts of resets and restarts, version of the firmware: blinded for keys outside the endorsement
        // hierarchy, and nothing here depends on them.
        _ = try reader.readUInt64()
        _ = try reader.readUInt32()
        _ = try reader.readUInt32()
        guard try reader.readUInt8() <= 1 else { throw .malformed(.attest) }
        _ = try reader.readUInt64()
        name = try reader.readBuffer(limit: Self.nameByteLimit)
        _ = try reader.readBuffer(limit: Self.nameByteLimit)
        try reader.finish()
    }
}
