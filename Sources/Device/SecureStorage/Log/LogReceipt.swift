/// Receipt behind a record: the record was whole on the disk when it was written.
///
/// No caller waits for it, so a power loss may swallow it. It is bound to base and commit and not to the record: it shows
/// that a record was there even when that is damaged.
struct LogReceipt: Hashable, Sendable {
    static let byteCount = 8 + codeByteCount
    private static let codeByteCount = 16
    /// Bytes that a disk writes as one.
    private static let sectorByteCount = 512

    let octets: [UInt8]

    init(of generation: UInt64, behind base: [UInt8], with codes: StoreCodes) {
        var octets: [UInt8] = []
        octets.reserveCapacity(Self.byteCount)
        octets.appendLittleEndian(generation)
        octets += codes.code(ofReceipt: generation, behind: base).prefix(Self.codeByteCount)
        self.octets = octets
    }

    /// Whether a receipt of some commit after `generation` stands anywhere in bytes.
    ///
    /// Whatever may be a commit's number is looked at; no more commits can be there than records have room.
    static func stands(
        in bytes: ArraySlice<UInt8>, after generation: UInt64, behind base: [UInt8], with codes: StoreCodes
    ) -> Bool {
        guard bytes.count >= byteCount else { return false }
        let most = UInt64(bytes.count / RecordHeader.byteCount) + 1
        return (bytes.startIndex...bytes.endIndex - byteCount).contains { start in
            let found = bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard found > generation, found - generation <= most else { return false }
            let receipt = LogReceipt(of: found, behind: base, with: codes)
            return bytes[start..<start + byteCount].elementsEqual(receipt.octets)
        }
    }

    /// Whether a power loss may have left these bytes of the receipt, whose place in the file is `offset`.
    ///
    /// The file ends before or in it, or whole sectors of it are zero.
    func mayHaveLeft(_ found: ArraySlice<UInt8>, at offset: Int) -> Bool {
        let boundary = Self.sectorByteCount - offset % Self.sectorByteCount
        let expected = octets.prefix(found.count)
        return Self.isWholeOrZero(found.prefix(boundary), expected.prefix(boundary))
            && Self.isWholeOrZero(found.dropFirst(boundary), expected.dropFirst(boundary))
    }

    private static func isWholeOrZero(_ found: ArraySlice<UInt8>, _ expected: ArraySlice<UInt8>) -> Bool {
        found.elementsEqual(expected) || found.allSatisfy { $0 == 0 }
    }
}
