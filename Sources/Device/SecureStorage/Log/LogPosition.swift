import HardwareKeys

/// Place in a file where the next record is to be written, and what it is chained to.
struct LogPosition: Hashable, Sendable {
    /// Bytes that a log may have, whatever the base has.
    private static let leastByteCount = 16_384
    /// Bytes of a log that has an eighth of its base: an open reads and checks all of them.
    private static let usualByteCount = 73_728
    /// Bytes that no log has more of.
    private static let greatestByteCount = 262_144

    let baseCode: [UInt8]
    /// End of the base.
    let start: Int
    /// First and last bytes of the file as the commit left it.
    let ends: FileEnds

    /// Bytes that can still be written before a new base is, or what `wanted` says.
    ///
    /// An eighth of the base, within bounds, keeps opening short and writes the base again every few dozen commits. A base of
    /// more than 9 MiB takes so long to write that it gets a longer log.
    func room(upTo wanted: Int?) -> Int {
        let share = max(min(start / 8, Self.usualByteCount), min(start / 128, Self.greatestByteCount))
        return start + (wanted ?? max(Self.leastByteCount, share)) - ends.byteCount
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
