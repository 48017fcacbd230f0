import HardwareKeys

/// Checks a file whose keys are known and takes its entries over, still sealed.
struct StoreFileReader {
    let location: StorageLocation
    let limits: SecureStorage.Limits
    let givesUpLostEntries: Bool

    /// Reads a file.
    ///
    /// The HMAC is checked before anything but header and wrap section is looked at; it covers the root, and what lies
    /// below is checked when it is read. Throws
    /// ``SecureStorage/SecureStorageError/storageCorrupted``, ``SecureStorage/SecureStorageError/entriesLost``,
    /// ``SecureStorage/SecureStorageError/limitExceeded`` and
    /// what reading throws.
    func layer(
        of file: StoreFile, with keys: StoreKeys, _ vaultStatement: ProtectionStatement
    ) throws(SecureStorageError) -> VolatileLayer {
        var layer = VolatileLayer(header: file.header, wrap: file.wrap, keys: keys, vaultStatement)
        layer.ends = file.ends
        try adopt(file, with: keys, into: &layer)
        layer.markWritten()
        return layer
    }

    private func adopt(
        _ file: StoreFile, with keys: StoreKeys, into layer: inout VolatileLayer
    ) throws(SecureStorageError) {
        guard file.isAuthentic(with: keys), file.wrap[.storageName] == Array(location.name.text.utf8) else {
            throw .storageCorrupted
        }
        let base = try BlockStore(file, with: keys)
        let state = LogReader(file: file, keys: keys).state()
        guard !state.hasLostCommits || givesUpLostEntries else { throw .entriesLost }
        guard base.root.greatestValueByteCount <= limits.valueByteCount else { throw .limitExceeded }
        layer.adopt(
            base, entryCount: Int(file.header.entryCount), sealedByteCount: Int(file.header.valuesByteCount))
        for record in state.records { try layer.adopt(record, limits: limits) }
        let isAnyLost = givesUpLostEntries ? try base.giveUpLostLists() || state.hasLostCommits : false
        if isAnyLost { try layer.recount() }
        guard layer.entryCount <= limits.entryCount else { throw .limitExceeded }
        layer.header = state.header
        layer.invocations = state.header.invocations
        layer.authenticator = state.authenticator
        guard state.isClean, file.isWhole, !isAnyLost else {
            layer.distrustFile()
            return
        }
        layer.position = LogPosition(baseCode: file.code, start: file.header.logStart, ends: file.ends)
    }
}
