import Crypto

/// Index that counts wrong PINs, as the chip describes it (TPMS_NV_PUBLIC; TPM 2.0, part 2, section 13.5).
package struct TPMAttemptIndex: Hashable {
    /// TPM_NT_PIN_FAIL, written, outside the chip's own lockout; written by policy only, read by the PIN or the owner.
    ///
    /// No other attribute may stand: each of them is a way to write, to reset or to delete.
    static let attributes: UInt32 = 8 << 4 | 1 << 3 | 1 << 17 | 1 << 18 | 1 << 25 | 1 << 29
    /// Two counts of 32 bits: failures, and their limit.
    static let byteCount: UInt16 = 8

    /// Name of the index: another policy or attribute gives another name.
    ///
    /// An index that was made anew has the name only after a first write.
    let name: [UInt8]

    /// Reads a description; throws `indexKind` unless it is one of a written counter of wrong PINs, or `malformed`.
    package init(_ bytes: [UInt8]) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .index)
        _ = try reader.readUInt32()
        let nameAlgorithm = try reader.readUInt16()
        let attributes = try reader.readUInt32()
        let policy = try reader.readBuffer(limit: TPMPublicArea.digestByteLimit)
        let byteCount = try reader.readUInt16()
        try reader.finish()
        guard nameAlgorithm == TPMNumber.sha256, attributes == Self.attributes, byteCount == Self.byteCount,
            policy.count == SHA256.byteCount
        else { throw .indexKind }
        name = TPMPublicArea.name(of: bytes)
    }

    /// The policy of what opens with the PIN only (TPM2_PolicySecret, without a reference; part 1, section 19.7).
    var policy: [UInt8] {
        let command = TPMNumber.bytes(TPMNumber.policySecret)
        let shown = SHA256.hash(data: [UInt8](repeating: 0, count: SHA256.byteCount) + command + name)
        return Array(SHA256.hash(data: Array(shown)))
    }
}
