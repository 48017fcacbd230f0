import HardwareKeys

/// Reading of a log: the records that stand, and what may follow them.
final class LogReader {
    /// State of a file whose log was read to its end.
    struct State {
        var records: [LogRecord] = []
        /// Header of the base, with what the last record says of its commit.
        var header: StoreFileHeader
        /// Whether nothing but records with their receipts is there, so that another may be written behind them.
        var isClean = true
        /// Whether receipts stand behind commits of which neither list can be read.
        var hasLostCommits = false
        /// Code of the last record that can be read, or of the base.
        fileprivate var code: StoreCodes.Code
        /// Whether the last commit is one of these.
        fileprivate var isLastLost = false

        /// Code of the last record that can be read, or of the base.
        var authenticator: [UInt8] { withUnsafeBytes(of: code) { Array($0) } }
    }

    let log: [UInt8]
    let logStart: Int
    let storageID: [UInt8]
    let codes: StoreCodes
    let lists: ListOpener
    private let header: StoreFileHeader
    private let baseCode: [UInt8]
    private let keys: StoreKeys

    init(file: StoreFile, keys: StoreKeys) {
        log = file.log
        header = file.header
        logStart = header.logStart
        storageID = header.storageID
        baseCode = file.code
        self.keys = keys
        codes = StoreCodes(keys)
        lists = ListOpener(keys, of: header)
    }

    /// Reads the log of a file whose base is authentic.
    ///
    /// What follows the last whole record was never acknowledged, unless a receipt stands in it: then a commit is lost.
    func state() -> State {
        var state = State(header: header, code: StoreCodes.code(baseCode))
        log.withUnsafeBytes { log in
            var start = 0
            while start < log.count, let end = step(into: log, at: start, of: &state) { start = end }
            state.isClean = state.isClean && start == log.count
        }
        return state
    }

    /// Takes the commit that starts at a place into the state, and gives the place where the next may start; nil when there
    /// is none that was ever acknowledged.
    private func step(into log: UnsafeRawBufferPointer, at start: Int, of state: inout State) -> Int? {
        if let record = record(at: start, of: log, behind: state),
            record.header.generation == state.header.generation &+ 1,
            state.isLastLost || record.follows(state.code)
        {
            return step(over: record, at: start, in: log, of: &state)
        }
        // The first list is damaged, or the commit is gone: its receipt leads to the second one, or to what follows.
        let place = LogReceipt.first(
            in: UnsafeRawBufferPointer(rebasing: log[start...]), after: state.header.generation, behind: baseCode,
            with: codes)
        guard let place else { return nil }
        let receipt = start + place.start
        let found = LogRecord(parsing: start..<receipt, .second, of: log, for: self)
        let record = found.flatMap { $0.header.generation == place.generation ? $0 : nil }
        let isNext =
            place.generation == state.header.generation &+ 1
            && (state.isLastLost || record?.follows(state.code) != false)
        state.isClean = false
        state.hasLostCommits = state.hasLostCommits || record == nil || !isNext
        state.take(record, place.generation)
        return receipt + LogReceipt.byteCount
    }

    /// Takes a record, whose receipt a crash may have swallowed; nil when it was never acknowledged.
    ///
    /// Behind others' receipts it stands, whatever its values are; as the last one it has to be whole.
    private func step(
        over record: LogRecord, at start: Int, in log: UnsafeRawBufferPointer, of state: inout State
    ) -> Int? {
        let generation = record.header.generation
        let end = start + Int(record.header.recordByteCount)
        let rest = UnsafeRawBufferPointer(rebasing: log[end...])
        if !LogReceipt.isAtStart(of: rest, for: generation, behind: baseCode, with: codes) {
            let later = LogReceipt.first(in: rest, after: generation, behind: baseCode, with: codes)
            guard later != nil || record.isWhole(with: keys) else { return nil }
            state.isClean = false
        }
        state.take(record, generation)
        return min(end + LogReceipt.byteCount, log.count)
    }

    private func record(at start: Int, of log: UnsafeRawBufferPointer, behind state: State) -> LogRecord? {
        header.hasCopies
            ? LogRecord(parsing: start..<log.count, .first, of: log, for: self)
            : LogRecord(firstFormat: start..<log.count, behind: state.code, of: log, for: self)
    }
}

extension LogReader.State {
    fileprivate mutating func take(_ record: LogRecord?, _ generation: UInt64) {
        header.generation = generation
        isLastLost = record == nil
        guard let record else { return }
        records.append(record)
        code = record.code
        header.anchor = record.header.anchor
        header.invocations = record.header.invocations
    }
}
