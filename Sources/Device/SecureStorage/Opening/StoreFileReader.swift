import HardwareKeys
import Octets

/// Checks a file whose keys are known and takes its entries over, still sealed.
struct StoreFileReader {
    let location: StorageLocation
    let limits: SecureStorage.Limits

    /// Reads a file.
    ///
    /// The HMAC is checked before anything but header and wrap section is looked at; in format 2 it covers the root,
    /// and what lies below is checked when it is read. Throws
    /// ``SecureStorage/SecureStorageError/storageCorrupted``, ``SecureStorage/SecureStorageError/limitExceeded`` and
    /// what reading throws.
    func layer(
        of file: StoreFile, with keys: StoreKeys, _ vaultStatement: ProtectionStatement
    ) throws(SecureStorageError) -> VolatileLayer {
        var layer = VolatileLayer(header: file.header, wrap: file.wrap, keys: keys, vaultStatement)
        layer.ends = file.ends
        switch file.form {
        case .whole(let file): try adopt(file, with: keys, into: &layer)
        case .layered(let file): try adopt(file, with: keys, into: &layer)
        }
        layer.markWritten()
        return layer
    }

    private func requireOwn(_ wrap: WrapSection, isAuthentic: Bool) throws(SecureStorageError) {
        guard isAuthentic, wrap[.storageName].map({ $0 == Array(location.name.text.utf8) }) == true else {
            throw .storageCorrupted
        }
    }
}

extension StoreFileReader {
    private func adopt(
        _ file: LayeredFile, with keys: StoreKeys, into layer: inout VolatileLayer
    ) throws(SecureStorageError) {
        try requireOwn(file.wrap, isAuthentic: file.isAuthentic(with: keys))
        let base = try BlockStore(file, with: keys)
        let state = try LogReader(file: file, keys: keys).state()
        guard base.root.greatestValueByteCount <= limits.valueByteCount else { throw .limitExceeded }
        layer.adopt(
            base, entryCount: Int(file.header.entryCount), sealedByteCount: Int(file.header.valuesByteCount))
        for record in state.records { try layer.adopt(record, limits: limits) }
        guard layer.entryCount <= limits.entryCount else { throw .limitExceeded }
        layer.header = state.header
        layer.invocations = state.header.invocations
        layer.authenticator = state.authenticator
        guard state.isClean else {
            layer.distrustFile()
            return
        }
        layer.position = LogPosition(baseCode: file.code, start: file.logStart, ends: file.ends)
    }
}

extension StoreFileReader {
    private func adopt(
        _ file: WholeFile, with keys: StoreKeys, into layer: inout VolatileLayer
    ) throws(SecureStorageError) {
        let code = StoreCodes(keys).code(ofBase: file.authenticated)
        let isAuthentic = (try? ConstantTimeEquality.require(file.authenticator, equals: code)) != nil
        try requireOwn(file.wrap, isAuthentic: isAuthentic)
        guard file.header.entryCount <= limits.entryCount else { throw .limitExceeded }
        guard let index = Self.index(of: file, with: keys) else { throw .storageCorrupted }
        layer.authenticator = file.authenticator
        let values = file.values
        for entry in index.entries {
            guard Int(entry.byteCount) - ValueContext.byteCount(for: entry.name) <= limits.valueByteCount else {
                throw .limitExceeded
            }
            let start = values.startIndex + Int(entry.offset)
            guard let sealed = SealedValue(values[start..<start + entry.sealedByteCount]) else {
                throw .storageCorrupted
            }
            layer.adopt(
                StoredEntry(kind: entry.kind, putGeneration: entry.putGeneration, sealed: sealed), named: entry.name)
        }
    }

    private static func index(of file: WholeFile, with keys: StoreKeys) -> EntryIndex? {
        guard !file.header.flags.contains(.namesInClear) else {
            return EntryIndex(parsing: Array(file.index), header: file.header)
        }
        defer { FreedMemory.wipe(.roundKeys) }
        return file.fullHeader.withUnsafeBytes { header in
            SealedValue(file.index)?.opened(using: keys.index, authenticating: header) { bytes in
                var list = [UInt8](bytes)
                defer { SecretOctets.wipe(&list) }
                return EntryIndex(parsing: list, header: file.header)
            } ?? nil
        }
    }
}
