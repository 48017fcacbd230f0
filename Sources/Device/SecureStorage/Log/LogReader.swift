import HardwareKeys
import Octets

/// Reading of a log: the records that stand, and what may follow them.
struct LogReader {
    /// State of a file whose log was read to its end.
    struct State {
        var records: [LogRecord] = []
        /// Code of the last record that can be read, or of the base.
        var authenticator: [UInt8]
        /// Header of the base, with what the last record says of its commit.
        var header: StoreFileHeader
        /// Whether nothing but records with their receipts is there, so that another may be written behind them.
        var isClean = true
        /// Whether receipts stand behind commits of which neither list can be read.
        var hasLostCommits = false
        /// Whether the last commit is one of these.
        fileprivate var isLastLost = false
    }

    /// One commit of the log, and where the next may start.
    private struct Step {
        /// Nil when neither of its lists can be read.
        let record: LogRecord?
        let generation: UInt64
        let end: Int
        var hasReceipt = true
        /// Whether it follows the one before.
        var isNext = true
    }

    private let file: StoreFile
    private let keys: StoreKeys
    private let codes: StoreCodes

    init(file: StoreFile, keys: StoreKeys) {
        self.file = file
        self.keys = keys
        codes = StoreCodes(keys)
    }

    /// Reads the log of a file whose base is authentic.
    ///
    /// What follows the last whole record was never acknowledged, unless a receipt stands in it: then a commit is lost.
    func state() -> State {
        var state = State(authenticator: file.code, header: file.header)
        var rest = file.log[...]
        while !rest.isEmpty, let step = step(into: rest, behind: state) {
            state.take(step.record, step.generation)
            state.isClean = state.isClean && step.hasReceipt
            state.hasLostCommits = state.hasLostCommits || step.record == nil || !step.isNext
            rest = rest[step.end...]
        }
        state.isClean = state.isClean && rest.isEmpty
        return state
    }

    private func step(into rest: ArraySlice<UInt8>, behind state: State) -> Step? {
        if let record = record(in: rest, behind: state), record.header.generation == state.header.generation &+ 1,
            state.isLastLost || record.follows(state.authenticator)
        {
            return step(behind: record, in: rest)
        }
        // The first list is damaged, or the commit is gone: its receipt leads to the second one, or to what follows.
        let place = LogReceipt.first(in: rest, after: state.header.generation, behind: file.code, with: codes)
        guard let place else { return nil }
        let found = record(in: rest[..<place.start], .second)
        let record = found.flatMap { $0.header.generation == place.generation ? $0 : nil }
        let isNext = place.generation == state.header.generation &+ 1
        return Step(
            record: record, generation: place.generation, end: place.start + LogReceipt.byteCount,
            hasReceipt: false, isNext: isNext && (state.isLastLost || record?.follows(state.authenticator) != false))
    }

    /// The step over a record, whose receipt a crash may have swallowed; nil when it was never acknowledged.
    ///
    /// Behind others' receipts it stands, whatever its values are; as the last one it has to be whole.
    private func step(behind record: LogRecord, in rest: ArraySlice<UInt8>) -> Step? {
        let generation = record.header.generation
        let receipt = LogReceipt(of: generation, behind: file.code, with: codes)
        let end = rest.startIndex + Int(record.header.recordByteCount)
        let hasReceipt = rest[end...].starts(with: receipt.octets)
        if !hasReceipt {
            let later = LogReceipt.first(in: rest[end...], after: generation, behind: file.code, with: codes)
            guard later != nil || record.isWhole(with: keys) else { return nil }
        }
        return Step(
            record: record, generation: generation, end: min(end + LogReceipt.byteCount, rest.endIndex),
            hasReceipt: hasReceipt)
    }

    private func record(in rest: ArraySlice<UInt8>, behind state: State) -> LogRecord? {
        guard !file.header.hasCopies else { return record(in: rest, .first) }
        return LogRecord(
            firstFormat: rest, behind: state.authenticator, at: file.header.logStart, in: file.header, with: keys, codes
        )
    }

    private func record(in bytes: ArraySlice<UInt8>, _ half: LogRecord.Half) -> LogRecord? {
        LogRecord(parsing: bytes, half, at: file.header.logStart, in: file.header, with: keys, codes)
    }
}

extension LogReader.State {
    fileprivate mutating func take(_ record: LogRecord?, _ generation: UInt64) {
        header.generation = generation
        isLastLost = record == nil
        guard let record else { return }
        records.append(record)
        authenticator = record.code
        header.anchor = record.header.anchor
        header.invocations = record.header.invocations
    }
}
