import HardwareKeys

/// Place in a file where the next record is to be written, and what it is chained to.
struct LogPosition: Hashable, Sendable {
    /// Bytes that a log may have, whatever the base has.
    private static let leastByteCount = 16_384
    /// Bytes that no log has more of: an open reads and checks all of them.
    private static let greatestByteCount = 262_144

    let baseCode: [UInt8]
    /// End of the base.
    let start: Int
    /// First and last bytes of the file as the commit left it.
    let ends: FileEnds

    /// Bytes that can still be written, behind which it is cheaper to write a new base: the log has half of the base,
    /// within bounds, or what `wanted` says.
    func room(upTo wanted: Int?) -> Int {
        let limit = wanted ?? max(Self.leastByteCount, min(start / 2, Self.greatestByteCount))
        return start + limit - ends.byteCount
    }

    func behind(_ record: [UInt8], _ receipt: LogReceipt) -> LogPosition {
        let end = record.suffix(StoreFile.endByteCount) + receipt.octets
        return LogPosition(
            baseCode: baseCode, start: start,
            ends: FileEnds(
                byteCount: ends.byteCount + record.count + LogReceipt.byteCount, first: ends.first,
                last: Array(end.suffix(StoreFile.endByteCount))))
    }
}
