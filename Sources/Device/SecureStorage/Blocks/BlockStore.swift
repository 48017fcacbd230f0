import HardwareKeys
import Locking

/// Base of a file, whose entries are read and checked one block and one value at a time; lists are kept.
///
/// It holds the file open, so it is the same base whatever the name of the file stands for later. Values stay sealed.
final class BlockStore: Sendable {
    let root: BlockRoot
    private let header: StoreFileHeader
    private let keys: StoreKeys
    private let blocksStart: Int
    private let valuesStart: Int
    private let file: any ReadableFile
    /// The lists that were read before; one place for each block.
    private let lists: Lock<[EntryList?]>

    /// Reads the root of a file whose code was checked.
    init(_ file: StoreFile, with keys: StoreKeys) throws(SecureStorageError) {
        let (header, blocks) = (file.header, file.blocks)
        let root = keys.withOpened(file.root, isClear: header.flags.contains(.namesInClear)) { bytes in
            BlockRoot(parsing: bytes, blocksByteCount: blocks.count, header: header)
        }
        guard let root else { throw .storageCorrupted }
        self.root = root
        self.header = header
        self.keys = keys
        blocksStart = blocks.lowerBound
        valuesStart = file.valuesStart
        self.file = file.file
        lists = Lock(Array(repeating: nil, count: root.blocks.count))
    }

    init(_ product: StoreFileWriter.Product, in file: any ReadableFile, with keys: StoreKeys) {
        root = product.root
        header = product.header
        self.keys = keys
        valuesStart = Int(header.fullByteCount) + Int(header.indexByteCount)
        blocksStart = valuesStart - (root.blocks.last?.end.blocks ?? 0)
        self.file = file
        lists = Lock(product.lists)
    }

    /// Line of the list for a name, without its value; nil when there is none.
    func find(_ name: EntryName) throws(SecureStorageError) -> ListedEntry? {
        guard let block = root.block(for: name) else { return nil }
        let list = try list(block)
        return list.position(of: name).map { list.entries[$0] }
    }

    /// The entry of a name, its value read and still sealed; nil when the base has none.
    func entry(_ name: EntryName) throws(SecureStorageError) -> StoredEntry? {
        guard let block = root.block(for: name) else { return nil }
        let list = try list(block)
        guard let position = list.position(of: name) else { return nil }
        return try value(position, of: list, in: root.blocks[block])
    }

    /// The list of a block, read and checked when it is asked for the first time.
    func list(_ number: Int) throws(SecureStorageError) -> EntryList {
        if let list = lists.withLock({ $0[number] }) { return list }
        let list = try readList(number)
        lists.withLock { $0[number] = list }
        return list
    }

    /// The entries of a block; those that are not `known` are read, all at once.
    func entries(
        ofBlock number: Int, knowing known: [EntryName: LayerChange]
    ) throws(SecureStorageError) -> [(key: EntryName, value: StoredEntry)] {
        let list = try list(number)
        let values = list.entries.map { known[$0.name]?.entry }
        let isRead = values.contains { $0 == nil }
        let block = root.blocks[number]
        let bytes =
            isRead ? try StoreFile.bytes(block.valuesByteCount, at: valuesStart + block.start.values, of: file) : []
        var entries: [(key: EntryName, value: StoredEntry)] = []
        entries.reserveCapacity(list.entries.count)
        for (place, entry) in list.entries.enumerated() {
            guard let value = values[place] ?? entry.stored(from: bytes[list.range(at: place)]) else {
                throw .storageCorrupted
            }
            entries.append((entry.name, value))
        }
        return entries
    }

    private func value(
        _ position: Int, of list: EntryList, in block: BlockRecord
    ) throws(SecureStorageError) -> StoredEntry {
        let entry = list.entries[position]
        let start = valuesStart + block.start.values + list.offsets[position]
        let bytes = try StoreFile.bytes(entry.sealedByteCount, at: start, of: file)
        guard let stored = entry.stored(from: bytes[...]) else { throw .storageCorrupted }
        return stored
    }

    private func readList(_ number: Int) throws(SecureStorageError) -> EntryList {
        let block = root.blocks[number]
        let bytes = try StoreFile.bytes(block.byteCount, at: blocksStart + block.start.blocks, of: file)
        guard StoreCodes(keys).isCode(block.code, ofBlock: bytes[...], number: number, in: header) else {
            throw .storageCorrupted
        }
        let list = keys.withOpened(bytes[...], isClear: header.flags.contains(.namesInClear)) { list in
            EntryList(parsing: list, count: block.entryCount, generation: header.generation)
        }
        guard let list, list.valuesByteCount == block.valuesByteCount, list.entries.first?.name == block.firstName,
            list.entries.allSatisfy({ $0.kind != nil })
        else { throw .storageCorrupted }
        return list
    }
}
