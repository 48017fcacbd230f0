/// Reading of a log: the records that stand, and what may follow them.
struct LogReader {
    /// State of a file whose log was read to its end.
    struct State {
        var records: [LogRecord] = []
        /// Code of the last record, or of the base.
        var authenticator: [UInt8]
        /// Header of the base, with what the last record says of its commit.
        var header: StoreFileHeader
        /// Whether nothing but records with their receipts is there, so that another may be written behind them.
        var isClean = true
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
    /// What follows the last whole record was never acknowledged, unless a receipt stands in it: then
    /// ``SecureStorage/SecureStorageError/storageCorrupted`` is thrown, as for a receipt that no crash leaves behind.
    func state() throws(SecureStorageError) -> State {
        var state = State(authenticator: file.code, header: file.header)
        var rest = file.log[...]
        while !rest.isEmpty, let record = record(in: rest, behind: state) {
            rest = rest.dropFirst(Int(record.header.recordByteCount))
            state.take(record)
            guard try takeReceipt(from: &rest, state.header.generation) else {
                state.isClean = false
                break
            }
        }
        guard !rest.isEmpty else { return state }
        let isDamaged = LogReceipt.stands(in: rest, after: state.header.generation, behind: file.code, with: codes)
        guard !isDamaged else { throw .storageCorrupted }
        state.isClean = false
        return state
    }

    private func record(in rest: ArraySlice<UInt8>, behind state: State) -> LogRecord? {
        LogRecord(
            parsing: rest, at: file.logStart + rest.startIndex, behind: state.authenticator, after: state.header,
            with: keys, codes)
    }

    /// Takes the receipt of a record; false when a crash has swallowed it.
    private func takeReceipt(
        from rest: inout ArraySlice<UInt8>, _ generation: UInt64
    ) throws(SecureStorageError) -> Bool {
        let receipt = LogReceipt(of: generation, behind: file.code, with: codes)
        let found = rest.prefix(LogReceipt.byteCount)
        if found.elementsEqual(receipt.octets) {
            rest = rest.dropFirst(LogReceipt.byteCount)
            return true
        }
        guard receipt.mayHaveLeft(found, at: file.logStart + rest.startIndex) else { throw .storageCorrupted }
        rest = rest.dropFirst(found.count)
        return false
    }
}

extension LogReader.State {
    fileprivate mutating func take(_ record: LogRecord) {
        records.append(record)
        authenticator = record.code
        header.generation = record.header.generation
        header.anchor = record.header.anchor
        header.invocations = record.header.invocations
    }
}
