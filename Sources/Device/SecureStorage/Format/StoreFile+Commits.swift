import Octets

extension StoreFile {
    /// Code that a file without a log says that it has, whatever keys wrote it; nil for others.
    var claimedCode: [UInt8]? { log.isEmpty ? code : nil }

    /// Whether the code of the base belongs to these keys.
    func isAuthentic(with keys: StoreKeys) -> Bool {
        let expected = StoreCodes(keys).code(ofBase: head[...])
        return (try? ConstantTimeEquality.require(code, equals: expected)) != nil
    }

    /// The state of the last commit in the file, by which two files are told apart; nil when other keys wrote it.
    func latest(with keys: StoreKeys) -> LogReader.State? {
        guard isAuthentic(with: keys) else { return nil }
        return LogReader(file: self, keys: keys).state()
    }
}
