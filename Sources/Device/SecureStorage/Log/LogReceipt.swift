/// Receipt behind a record: the record was whole on the disk when it was written.
///
/// No caller waits for it, so a power loss may swallow it. It is bound to base and commit and not to the record: it shows
/// that a record was there even when that is damaged.
struct LogReceipt: Hashable, Sendable {
    static let byteCount = 8 + codeByteCount
    private static let codeByteCount = 16

    let octets: [UInt8]

    init(of generation: UInt64, behind base: [UInt8], with codes: StoreCodes) {
        var octets: [UInt8] = []
        octets.reserveCapacity(Self.byteCount)
        octets.appendLittleEndian(generation)
        octets += codes.code(ofReceipt: generation, behind: base).prefix(Self.codeByteCount)
        self.octets = octets
    }

    /// Whether bytes begin with the receipt of a commit.
    static func isAtStart(
        of bytes: UnsafeRawBufferPointer, for generation: UInt64, behind base: [UInt8], with codes: StoreCodes
    ) -> Bool {
        guard bytes.count >= byteCount, bytes.number(at: 0) == generation else { return false }
        return codes.isCode(
            UnsafeRawBufferPointer(rebasing: bytes[8..<byteCount]), ofReceipt: generation, behind: base)
    }

    /// The first receipt of some commit after `generation` that stands anywhere in bytes.
    ///
    /// Whatever may be a commit's number is looked at; no more commits can be there than records have room.
    static func first(
        in bytes: UnsafeRawBufferPointer, after generation: UInt64, behind base: [UInt8], with codes: StoreCodes
    ) -> (start: Int, generation: UInt64)? {
        guard bytes.count >= byteCount else { return nil }
        let most = UInt64(bytes.count / RecordHeader.byteCount) + 1
        for start in 0...bytes.count - byteCount {
            let found: UInt64 = bytes.number(at: start)
            guard found > generation, found - generation <= most else { continue }
            let place = UnsafeRawBufferPointer(rebasing: bytes[start...])
            if isAtStart(of: place, for: found, behind: base, with: codes) { return (start, found) }
        }
        return nil
    }
}
