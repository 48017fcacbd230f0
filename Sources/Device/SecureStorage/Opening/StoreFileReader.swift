import HardwareKeys
import Octets

/// Checks a file whose keys are known and takes its entries over, still sealed.
struct StoreFileReader {
    let location: StorageLocation
    let limits: SecureStorage.Limits

    /// Reads a file.
    ///
    /// The HMAC over all bytes is checked before anything but header and wrap section is looked at. Throws
    /// ``SecureStorage/SecureStorageError/storageCorrupted`` and ``SecureStorage/SecureStorageError/limitExceeded``.
    func layer(
        of file: StoreFile, with keys: StoreKeys, _ vaultStatement: ProtectionStatement
    ) throws(SecureStorageError) -> VolatileLayer {
        let code = file.authenticated.withUnsafeBytes { keys.authenticationCode(of: $0) }
        let isAuthentic = (try? ConstantTimeEquality.require(file.authenticator, equals: code)) != nil
        guard isAuthentic, file.wrap[.storageName].map({ $0 == Array(location.name.text.utf8) }) == true else {
            throw .storageCorrupted
        }
        guard file.header.entryCount <= limits.entryCount else { throw .limitExceeded }
        guard var list = list(of: file, with: keys) else { throw .storageCorrupted }
        defer { SecretOctets.wipe(&list) }
        guard let index = EntryIndex(parsing: list, header: file.header) else { throw .storageCorrupted }
        var layer = VolatileLayer(header: file.header, wrap: file.wrap, keys: keys, vaultStatement)
        layer.authenticator = file.authenticator
        try adopt(index, of: file, into: &layer)
        return layer
    }

    private func list(of file: StoreFile, with keys: StoreKeys) -> [UInt8]? {
        guard !file.header.flags.contains(.namesInClear) else { return Array(file.index) }
        defer { FreedMemory.wipe(.roundKeys) }
        return file.fullHeader.withUnsafeBytes { header in
            SealedValue(file.index)?.opened(using: keys.index, authenticating: header) { [UInt8]($0) }
        }
    }

    private func adopt(
        _ index: EntryIndex, of file: StoreFile, into layer: inout VolatileLayer
    ) throws(SecureStorageError) {
        let values = file.values
        layer.reserveCapacity(index.entries.count)
        for entry in index.entries {
            guard Int(entry.byteCount) - ValueContext.byteCount(for: entry.name) <= limits.valueByteCount else {
                throw .limitExceeded
            }
            let start = values.startIndex + Int(entry.offset)
            guard let sealed = SealedValue(values[start..<start + entry.sealedByteCount]) else {
                throw .storageCorrupted
            }
            layer.adopt(
                StoredEntry(kind: entry.kind, putGeneration: entry.putGeneration, revision: 0, sealed: sealed),
                named: entry.name)
        }
    }
}
