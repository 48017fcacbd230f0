import HardwareKeys
import Locking

/// Base of a file, whose entries are read and checked one block and one value at a time; lists are kept.
///
/// It holds the file open, so it is the same base whatever the name of the file stands for later. Values stay sealed.
final class BlockStore: Sendable {
    let root: BlockRoot
    private let header: StoreFileHeader
    private let keys: StoreKeys
    /// Starts of the blocks, before the values and behind them.
    private let blocksStarts: [Int]
    private let valuesStart: Int
    private let file: any ReadableFile
    /// The lists that were read before; one place for each block.
    private let lists: Lock<[EntryList?]>

    /// Reads the root of a file whose code was checked.
    init(_ file: StoreFile, with keys: StoreKeys) throws(SecureStorageError) {
        let (header, blocks) = (file.header, file.blocks)
        let lists = ListOpener(keys, of: header)
        let root = file.root.withUnsafeBytes { root in
            lists.withOpened(root) { BlockRoot(parsing: $0, blocksByteCount: blocks.count, header: header) }
        }
        guard let root else { throw .storageCorrupted }
        self.root = root
        self.header = header
        self.keys = keys
        blocksStarts = [blocks.lowerBound, header.spareStart + blocks.lowerBound]
        valuesStart = header.copyByteCount
        self.file = file.file
        self.lists = Lock(Array(repeating: nil, count: root.blocks.count))
    }

    init(_ product: StoreFileWriter.Product, in file: any ReadableFile, with keys: StoreKeys) {
        root = product.root
        header = product.header
        self.keys = keys
        valuesStart = header.copyByteCount
        let blocksStart = valuesStart - (root.blocks.last?.end.blocks ?? 0)
        blocksStarts = [blocksStart, header.spareStart + blocksStart]
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

    /// Appends the entries of a block: changed entries as they are now, the others as they were.
    ///
    /// Entries that have not changed and are not `known` are read, all at once.
    func append(
        block number: Int, changed: [EntryName: LayerChange], known: [EntryName: LayerChange],
        to entries: inout [(key: EntryName, value: StoredEntry)]
    ) throws(SecureStorageError) {
        let list = try list(number)
        let block = root.blocks[number]
        var bytes: [UInt8] = []
        for (place, entry) in list.entries.enumerated() {
            if let change = changed[entry.name] {
                if let fresh = change.entry { entries.append((entry.name, fresh)) }
                continue
            }
            if let value = known[entry.name]?.entry {
                entries.append((entry.name, value))
                continue
            }
            if bytes.isEmpty { bytes = try values(block.valuesByteCount, at: valuesStart + block.start.values) }
            guard let value = entry.stored(from: bytes[list.range(at: place)]) else {
                throw .entryDamaged(name: entry.name.text)
            }
            entries.append((entry.name, value))
        }
    }

    /// Takes the entries of lists that cannot be read for removed; whether there were any.
    ///
    /// Throws ``SecureStorage/SecureStorageError/ioFailure(code:)``.
    func giveUpLostLists() throws(SecureStorageError) -> Bool {
        var isAnyLost = false
        for number in root.blocks.indices {
            do throws(SecureStorageError) {
                _ = try list(number)
            } catch {
                guard error == .entriesLost else { throw error }
                lists.withLock { $0[number] = EntryList(sorted: []) }
                isAnyLost = true
            }
        }
        return isAnyLost
    }

    private func value(
        _ position: Int, of list: EntryList, in block: BlockRecord
    ) throws(SecureStorageError) -> StoredEntry {
        let entry = list.entries[position]
        let start = valuesStart + block.start.values + list.offsets[position]
        guard let stored = entry.stored(from: try values(entry.sealedByteCount, at: start)[...]) else {
            throw .entryDamaged(name: entry.name.text)
        }
        return stored
    }

    /// Sealed values, with zeros in place of what the file has lost: they do not open.
    private func values(_ count: Int, at offset: Int) throws(SecureStorageError) -> [UInt8] {
        let found = try StoreFile.part(count, at: offset, of: file)
        return found + [UInt8](repeating: 0, count: count - found.count)
    }

    /// Reads a list where it stands whole.
    ///
    /// Throws ``SecureStorage/SecureStorageError/entriesLost`` and
    /// ``SecureStorage/SecureStorageError/ioFailure(code:)``.
    private func readList(_ number: Int) throws(SecureStorageError) -> EntryList {
        let block = root.blocks[number]
        var failure = SecureStorageError.entriesLost
        for start in blocksStarts {
            do throws(SecureStorageError) {
                let bytes = try StoreFile.part(block.byteCount, at: start + block.start.blocks, of: file)
                if let list = self.list(in: bytes, number) { return list }
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func list(in bytes: [UInt8], _ number: Int) -> EntryList? {
        let block = root.blocks[number]
        guard StoreCodes(keys).isCode(block.code, ofBlock: bytes[...], number: number, in: header) else { return nil }
        let list = bytes.withUnsafeBytes { stored in
            ListOpener(keys, of: header).withOpened(stored) { list in
                EntryList(parsing: list, count: block.entryCount, generation: header.generation)
            }
        }
        guard let list, list.valuesByteCount == block.valuesByteCount, list.entries.first?.name == block.firstName,
            list.entries.allSatisfy({ $0.kind != nil })
        else { return nil }
        return list
    }
}
