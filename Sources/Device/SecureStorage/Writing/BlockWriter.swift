/// Lays sorted entries out as the blocks of a base.
struct BlockWriter {
    /// Blocks side by side, and the root that leads to them.
    struct Product {
        var bytes: [UInt8] = []
        var lists: [EntryList] = []
        var root = BlockRoot([], greatestValueByteCount: 0)
    }

    let keys: StoreKeys
    let header: StoreFileHeader
    let environment: StorageEnvironment

    /// Writes the blocks; the values are left where they are.
    func blocks(of sorted: [(key: EntryName, value: StoredEntry)]) throws(SecureStorageError) -> Product {
        let codes = StoreCodes(keys)
        var product = Product()
        var records: [BlockRecord] = []
        var greatest = 0
        var rest = sorted[...]
        while !rest.isEmpty {
            var entries: [ListedEntry] = []
            entries.reserveCapacity(BlockRecord.entryLimit)
            // By their places: to take each out as a whole costs more than to list it.
            for place in rest.indices.prefix(BlockRecord.entryLimit) {
                entries.append(ListedEntry(rest[place].key, rest[place].value))
                greatest = max(greatest, entries[entries.count - 1].valueByteCount)
            }
            rest = rest.dropFirst(entries.count)
            let list = EntryList(sorted: entries)
            let end = records.last?.end ?? BlockRecord.End()
            let stored = try keys.sealed(list.encoded, isClear: header.flags.contains(.namesInClear), environment)
            let code = codes.code(ofBlock: stored[...], number: records.count, in: header)
            guard let record = BlockRecord(list, byteCount: stored.count, code: code, behind: end) else { break }
            records.append(record)
            product.bytes += stored
            product.lists.append(list)
        }
        product.root = BlockRoot(records, greatestValueByteCount: UInt32(greatest))
        return product
    }
}
