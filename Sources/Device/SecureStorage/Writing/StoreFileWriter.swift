import HardwareKeys
import Octets

/// Lays a volatile layer out as a file; the same layer with the same randomness gives the same bytes.
struct StoreFileWriter {
    /// A file and what its commit leaves behind.
    struct Product {
        let bytes: [UInt8]
        let header: StoreFileHeader
        let authenticator: [UInt8]
        /// The names of the entries in the order of the file.
        let names: [EntryName]
    }

    let environment: StorageEnvironment
    let limits: SecureStorage.Limits

    /// Writes the commit that follows the layer's.
    ///
    /// Throws ``SecureStorage/SecureStorageError/limitExceeded``.
    func file(of layer: VolatileLayer, anchoredAt anchor: UInt64) throws(SecureStorageError) -> Product {
        let sorted = layer.sortedEntries
        guard sorted.count <= limits.entryCount else { throw .limitExceeded }
        let wrap = layer.wrap.encoded
        let index = try Self.index(of: sorted, limit: limits.storageByteCount)
        let list = EntryIndex(sorted: index).encoded
        var header = layer.header
        let isClear = header.flags.contains(.namesInClear)
        let indexByteCount = list.count + (isClear ? 0 : IndexedEntry.sealOverhead)
        let valuesByteCount = index.last.map { Int($0.offset) + $0.sealedByteCount } ?? 0
        let total =
            StoreFileHeader.byteCount + wrap.count + indexByteCount + valuesByteCount + StoreFile.trailerByteCount
        guard wrap.count <= WrapSection.byteLimit, total <= limits.storageByteCount else { throw .limitExceeded }
        header.generation += 1
        header.anchor = anchor
        header.invocations = layer.invocations + 1
        header.entryCount = UInt32(sorted.count)
        header.indexByteCount = UInt32(indexByteCount)
        header.valuesByteCount = UInt32(valuesByteCount)
        header.wrapByteCount = UInt32(wrap.count)

        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        bytes += header.encoded
        bytes += wrap
        bytes += isClear ? list : try sealed(list, behind: bytes, layer.keys)
        for (_, entry) in sorted { entry.sealed.append(to: &bytes) }
        return Self.product(bytes, header, sorted.map(\.key), layer.keys)
    }

    private static func product(
        _ content: consuming [UInt8], _ header: StoreFileHeader, _ names: [EntryName], _ keys: StoreKeys
    ) -> Product {
        let code = content.withUnsafeBytes { keys.authenticationCode(of: $0) }
        content += code
        content += StoreFile.end(of: header)
        return Product(bytes: content, header: header, authenticator: code, names: names)
    }

    private func sealed(
        _ list: [UInt8], behind header: [UInt8], _ keys: StoreKeys
    ) throws(SecureStorageError) -> [UInt8] {
        var list = list
        defer {
            FreedMemory.wipe(.roundKeys)
            SecretOctets.wipe(&list)
        }
        let sealed = list.withUnsafeBytes { list in
            header.withUnsafeBytes { header in
                try? SealedValue(list, using: keys.index, nonce: environment.nonce(), authenticating: header)
            }
        }
        guard let sealed else { throw .limitExceeded }
        return Array(sealed.combined)
    }

    private static func index(
        of sorted: [(key: EntryName, value: StoredEntry)], limit: Int
    ) throws(SecureStorageError) -> [IndexedEntry] {
        var index: [IndexedEntry] = []
        index.reserveCapacity(sorted.count)
        var end = 0
        for (name, entry) in sorted {
            index.append(
                IndexedEntry(
                    name: name, kind: entry.kind, putGeneration: entry.putGeneration, offset: UInt32(end),
                    byteCount: UInt32(entry.sealed.plainByteCount)))
            end += entry.sealed.byteCount
            guard end <= limit else { throw .limitExceeded }
        }
        return index
    }
}
