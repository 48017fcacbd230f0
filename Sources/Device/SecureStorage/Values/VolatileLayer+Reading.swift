import HardwareKeys

extension VolatileLayer {
    /// Bytes of the sealed value of a name; nil when there is no such entry.
    func byteCount(of name: EntryName) throws(SecureStorageError) -> Int? {
        if let change = changes[name] { return change.entry?.sealed.byteCount }
        return try base?.find(name)?.sealedByteCount
    }

    func contains(_ name: EntryName) throws(SecureStorageError) -> Bool {
        try byteCount(of: name) != nil
    }

    /// Place of an entry.
    enum Place {
        case held(ReadableEntry)
        /// If anywhere, in the base, which has to be read.
        case inBase(BlockStore, StoreKeys)
    }

    /// The place of a name; nothing is read.
    ///
    /// Throws ``SecureStorage/SecureStorageError/unknownKey`` when memory tells that there is no such entry.
    func find(_ name: EntryName, at now: @autoclosure () -> Duration) throws(SecureStorageError) -> Place {
        try requireReadable(at: now())
        if !changes.isEmpty, let change = changes[name] {
            guard let entry = change.entry else { throw .unknownKey }
            return .held(ReadableEntry(entry: entry, name: name, keys: keys))
        }
        if let entry = known[name]?.entry { return .held(ReadableEntry(entry: entry, name: name, keys: keys)) }
        guard let base else { throw .unknownKey }
        return .inBase(base, keys)
    }

    /// The entry of a name with what opens it.
    ///
    /// Throws ``SecureStorage/SecureStorageError/unknownKey``, and what reading the base throws.
    func reading(_ name: EntryName, at now: @autoclosure () -> Duration) throws(SecureStorageError) -> ReadableEntry {
        switch try find(name, at: now()) {
        case .held(let entry): entry
        case .inBase(let base, let keys): try base.readable(name, keys)
        }
    }

    /// Demands that the user was there not too long ago.
    func requireReadable(at now: @autoclosure () -> Duration) throws(SecureStorageError) {
        if let readableUntil, now() >= readableUntil { throw .userPresenceFailed(.expired) }
    }

    /// The names of all entries, sorted by their bytes; no value is read.
    func names() throws(SecureStorageError) -> [EntryName] {
        var names: [EntryName] = []
        names.reserveCapacity(entryCount)
        for block in 0..<(base?.root.blocks.count ?? 0) {
            names += try base?.list(block).entries.lazy.map(\.name).filter { changes[$0] == nil } ?? []
        }
        names += changes.lazy.filter { $0.value.entry != nil }.map(\.key)
        return names.sorted()
    }

    /// All entries in the order of a file; the whole base is read.
    func sortedEntries() throws(SecureStorageError) -> [(key: EntryName, value: StoredEntry)] {
        guard let base else { return fresh { _ in true } }
        var entries: [(key: EntryName, value: StoredEntry)] = []
        entries.reserveCapacity(entryCount)
        for number in base.root.blocks.indices {
            try base.append(block: number, changed: changes, known: known, to: &entries)
        }
        guard entries.count < entryCount else { return entries }
        return Self.merged(entries, try fresh { name throws(SecureStorageError) in try base.find(name) == nil })
    }

    /// Names of the entries whose values do not open, sorted by their bytes; all of them are read.
    func damagedNames() throws(SecureStorageError) -> [EntryName] {
        var names: [EntryName] = []
        for (name, entry) in try sortedEntries() {
            do throws(SecureStorageError) {
                try ReadableEntry(entry: entry, name: name, keys: keys).opened { _ in }
            } catch {
                names.append(name)
            }
        }
        return names
    }

    /// The changes that put an entry, sorted.
    private func fresh<Failure: Error>(
        where isWanted: (EntryName) throws(Failure) -> Bool
    ) throws(Failure) -> [(key: EntryName, value: StoredEntry)] {
        var entries: [(key: EntryName, value: StoredEntry)] = []
        for (name, change) in changes {
            guard let entry = change.entry, try isWanted(name) else { continue }
            entries.append((name, entry))
        }
        return entries.sorted { $0.key < $1.key }
    }

    private static func merged(
        _ one: [(key: EntryName, value: StoredEntry)], _ other: [(key: EntryName, value: StoredEntry)]
    ) -> [(key: EntryName, value: StoredEntry)] {
        var merged: [(key: EntryName, value: StoredEntry)] = []
        merged.reserveCapacity(one.count + other.count)
        var rest = other[...]
        for entry in one {
            while let next = rest.first, next.key < entry.key {
                merged.append(next)
                rest = rest.dropFirst()
            }
            merged.append(entry)
        }
        return merged + rest
    }
}
