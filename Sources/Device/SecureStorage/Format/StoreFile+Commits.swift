import Octets

extension StoreFile {
    /// Code that a file without a log says that it has, whatever keys wrote it; nil for others.
    var claimedCode: [UInt8]? { log.isEmpty ? code : nil }

    /// Whether the code of the base belongs to these keys.
    func isAuthentic(with keys: StoreKeys) -> Bool {
        let expected = StoreCodes(keys).code(ofBase: head[...])
        return (try? ConstantTimeEquality.require(code, equals: expected)) != nil
    }

    /// Demands that a file with the base of a layer has all of the layer's commits, before another is written.
    ///
    /// Who has it in memory knows better than the file: a log that is shorter than it was has been cut. For an anchored
    /// storage the ledger says so. Throws ``SecureStorage/SecureStorageError/storageCorrupted``.
    func requireNothingCut(since layer: VolatileLayer) throws(SecureStorageError) {
        guard layer.header.anchor == 0, code == layer.position?.baseCode else { return }
        guard try latestHeader(with: layer.keys).generation >= layer.header.generation else {
            throw .storageCorrupted
        }
    }

    /// Code of the last commit in the file, by which two states are told apart; nil when other keys wrote it.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` for a log that was damaged.
    func authenticator(with keys: StoreKeys) throws(SecureStorageError) -> [UInt8]? {
        guard isAuthentic(with: keys) else { return nil }
        return try LogReader(file: self, keys: keys).state().authenticator
    }

    /// Whether the last commit in the file is the one that a layer started from.
    func isAt(_ layer: VolatileLayer) throws(SecureStorageError) -> Bool {
        guard let found = try authenticator(with: layer.keys) else { return false }
        return found == layer.authenticator
    }

    /// Header of the last commit in the file; the caller knows that its keys fit.
    func latestHeader(with keys: StoreKeys) throws(SecureStorageError) -> StoreFileHeader {
        try LogReader(file: self, keys: keys).state().header
    }
}
