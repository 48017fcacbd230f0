import HardwareKeys
import Octets

/// Lays a volatile layer out as a base without a log; the same layer with the same randomness gives the same bytes.
struct StoreFileWriter {
    /// A file and what its commit leaves behind.
    struct Product {
        let bytes: [UInt8]
        let header: StoreFileHeader
        let authenticator: [UInt8]
        let root: BlockRoot
        let lists: [EntryList]

        var ends: FileEnds {
            FileEnds(
                byteCount: bytes.count, first: Array(bytes.prefix(StoreFileHeader.byteCount)),
                last: Array(bytes.suffix(StoreFile.endByteCount)))
        }
    }

    let environment: StorageEnvironment
    let limits: SecureStorage.Limits

    /// Writes the commit that follows the layer's.
    ///
    /// Throws ``SecureStorage/SecureStorageError/limitExceeded`` and what reading the old base throws.
    func file(of layer: VolatileLayer, anchoredAt anchor: UInt64) throws(SecureStorageError) -> Product {
        let sorted = try layer.sortedEntries()
        guard sorted.count <= limits.entryCount else { throw .limitExceeded }
        var header = layer.header
        header.major = StoreFileHeader.major
        header.generation += 1
        header.anchor = anchor
        header.entryCount = UInt32(sorted.count)
        let values = sorted.reduce(0) { $0 + $1.value.sealed.byteCount }
        guard values <= limits.storageByteCount else { throw .limitExceeded }
        header.valuesByteCount = UInt32(values)
        let blocks = try BlockWriter(keys: layer.keys, header: header, environment: environment).blocks(of: sorted)
        return try file(of: layer, header, blocks, sorted)
    }

    private func file(
        of layer: VolatileLayer, _ header: StoreFileHeader, _ blocks: BlockWriter.Product,
        _ sorted: [(key: EntryName, value: StoredEntry)]
    ) throws(SecureStorageError) -> Product {
        let isClear = header.flags.contains(.namesInClear)
        let wrap = layer.wrap.encoded
        let root = try layer.keys.sealed(blocks.root.encoded, isClear: isClear, environment)
        var header = header
        let index = StoreFile.rootLengthByteCount + root.count + blocks.bytes.count
        header.invocations = layer.invocations + (isClear ? 0 : UInt64(blocks.lists.count) + 1)
        header.indexByteCount = UInt32(index)
        header.wrapByteCount = UInt32(wrap.count)
        guard wrap.count <= WrapSection.byteLimit, header.logStart <= limits.storageByteCount else {
            throw .limitExceeded
        }
        var writer = OctetWriter(capacity: header.copyByteCount)
        writer.write(header.encoded)
        writer.write(wrap)
        writer.writeUInt32LittleEndian(UInt32(root.count))
        writer.write(root)
        let code = StoreCodes(layer.keys).code(ofBase: writer.bytes[...])
        writer.write(code)
        writer.write(blocks.bytes)
        let copy = writer.bytes
        var bytes = copy
        bytes.reserveCapacity(header.logStart)
        for place in sorted.indices { sorted[place].value.sealed.append(to: &bytes) }
        bytes += copy
        return Product(bytes: bytes, header: header, authenticator: code, root: blocks.root, lists: blocks.lists)
    }
}
