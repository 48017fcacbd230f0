/// Statement of a chip that it holds an object (TPMS_ATTEST with TPMS_CERTIFY_INFO; TPM 2.0, part 2, section 10.12).
package struct TPMAttest: Hashable {
    /// Bytes of a TPM2B_NAME or TPM2B_DATA at most: a digest with its number.
    private static let nameByteLimit = 66

    /// Bytes that the asker gave the chip to sign with it.
    package let qualification: [UInt8]
    package let name: [UInt8]

    /// Reads a certification; throws `notGenerated`, `wrongStatementType`, or `malformed`.
    ///
    /// With `ignoresClock` the octet that says whether the clock is safe may have any value (Web Authentication Level 3,
    /// section 8.3).
    package init(_ bytes: [UInt8], ignoresClock: Bool = false) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .attest)
        qualification = try Self.head(&reader, type: TPMNumber.certification, ignoresClock: ignoresClock)
        name = try reader.readBuffer(limit: Self.nameByteLimit)
        _ = try reader.readBuffer(limit: Self.nameByteLimit)
        try reader.finish()
    }

    /// Reads what stands in front of every statement; gives the qualifying data.
    private static func head(
        _ reader: inout TPMReader, type: UInt16, ignoresClock: Bool = false
    ) throws(TPMRefusal) -> [UInt8] {
        guard try reader.readUInt32() == TPMNumber.generated else { throw .notGenerated }
        guard try reader.readUInt16() == type else { throw .wrongStatementType }
        // The qualified name of the signer: a digest over parents that only the chip knows.
        _ = try reader.readBuffer(limit: nameByteLimit)
        let qualification = try reader.readBuffer(limit: nameByteLimit)
        // Clock, counts of resets and restarts, version of the firmware: blinded for keys outside the endorsement
        // hierarchy, and nothing here depends on them.
        _ = try reader.readUInt64()
        _ = try reader.readUInt32()
        _ = try reader.readUInt32()
        guard try reader.readUInt8() <= 1 || ignoresClock else { throw reader.malformed }
        _ = try reader.readUInt64()
        return qualification
    }
}

extension TPMAttest {
    /// Statement of a chip about the content of an index that counts wrong PINs (TPMS_NV_CERTIFY_INFO; part 2, section
    /// 10.12.8).
    package struct Counts: Hashable {
        /// Bytes that the asker gave the chip to sign with it.
        let qualification: [UInt8]
        /// The name of the index.
        let name: [UInt8]
        /// Wrong PINs after which the index refuses all.
        let limit: UInt32

        /// Reads a statement; throws `notGenerated`, `wrongStatementType`, or `malformed`.
        package init(_ bytes: [UInt8]) throws(TPMRefusal) {
            var reader = TPMReader(bytes, as: .counts)
            qualification = try TPMAttest.head(&reader, type: TPMNumber.indexCertification)
            name = try reader.readBuffer(limit: TPMAttest.nameByteLimit)
            // The whole content, from its beginning: failures, and their limit.
            guard try reader.readUInt16() == 0, try reader.readUInt16() == TPMAttemptIndex.byteCount else {
                throw .malformed(.counts)
            }
            _ = try reader.readUInt32()
            limit = try reader.readUInt32()
            try reader.finish()
        }
    }
}
