import Locking
import Octets

extension SecureStorage {
    /// One value of a storage, as it was put.
    public enum StorageValue: Hashable, Sendable {
        /// A text.
        case string(String)
        /// Bytes.
        case bytes([UInt8])
    }
}

extension SecureStorage {
    // MARK: - Putting

    /// Puts a text under a name, in place of what was there; `write()` makes it permanent.
    ///
    /// The name has 1 to 100 of letters, digits, `-`, `_`, `.`. Throws ``SecureStorageError/keyNameInvalid(_:)``,
    /// ``SecureStorageError/valueInvalid`` for values over the limit, ``SecureStorageError/limitExceeded``,
    /// ``SecureStorageError/notLoaded``, and ``SecureStorageError/entriesLost`` and
    /// ``SecureStorageError/ioFailure(code:)`` when the list of names that this one belongs to cannot be read.
    public func putString(_ value: String, forKey key: String) throws(SecureStorageError) {
        var value = value
        let name = try EntryName(key: key)
        do {
            try value.withUTF8 { try put(UnsafeRawBufferPointer($0), as: .string, named: name) }
        } catch let error as SecureStorageError {
            throw error
        } catch {
            throw .valueInvalid
        }
    }

    /// Puts bytes under a name, in place of what was there; `write()` makes them permanent.
    ///
    /// Throws what ``putString(_:forKey:)`` throws.
    public func putBytes(_ value: some Sequence<UInt8>, forKey key: String) throws(SecureStorageError) {
        let name = try EntryName(key: key)
        let isDone = value.withContiguousStorageIfAvailable { bytes in
            Result { () throws(SecureStorageError) in
                try put(UnsafeRawBufferPointer(bytes), as: .bytes, named: name)
            }
        }
        if let isDone { return try isDone.get() }
        let bytes = SecretOctets(copying: Array(value))
        try bytes.withUnsafeBytes { bytes throws(SecureStorageError) in
            try put(bytes, as: .bytes, named: name)
        }
    }

    private func put(
        _ bytes: UnsafeRawBufferPointer, as kind: EntryKind, named name: EntryName
    ) throws(SecureStorageError) {
        let nonce = environment.nonce()
        try state.withLock { state throws(SecureStorageError) in
            guard state.layer != nil else { throw .notLoaded }
            try state.layer?.put(bytes, as: kind, named: name, nonce: nonce, limits: configuration.limits)
        }
    }

    // MARK: - Getting

    /// The text of a name.
    ///
    /// The text is a copy of the caller's, which is not wiped; ``withBytes(forKey:_:)`` lends one that is wiped. Throws
    /// ``SecureStorageError/unknownKey``, ``SecureStorageError/incorrectGetter`` when bytes were put,
    /// ``SecureStorageError/userPresenceFailed(_:)`` when the user was there too long ago,
    /// ``SecureStorageError/keyNameInvalid(_:)``, ``SecureStorageError/notLoaded``, and
    /// ``SecureStorageError/entryDamaged(name:)``, ``SecureStorageError/entriesLost`` and
    /// ``SecureStorageError/ioFailure(code:)`` when the entry cannot be read.
    public func getString(forKey key: String) throws(SecureStorageError) -> String {
        try reading(EntryName(key: key)).string()
    }

    /// The bytes of a name.
    ///
    /// Throws what ``getString(forKey:)`` throws.
    public func getBytes(forKey key: String) throws(SecureStorageError) -> [UInt8] {
        try reading(EntryName(key: key)).bytes()
    }

    /// Lends the bytes of a value, a text in UTF-8, for the length of `body`; they are wiped at its end.
    ///
    /// The pointer must not leave `body`. Throws what ``getString(forKey:)`` throws, but for
    /// ``SecureStorageError/incorrectGetter``.
    public func withBytes<Result>(
        forKey key: String, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(SecureStorageError) -> Result {
        try reading(EntryName(key: key)).opened(body)
    }

    /// All values by their names; each is decrypted, which takes its time.
    ///
    /// Throws ``SecureStorageError/notLoaded``, ``SecureStorageError/userPresenceFailed(_:)``, and
    /// ``SecureStorageError/entryDamaged(name:)``, ``SecureStorageError/entriesLost`` and
    /// ``SecureStorageError/ioFailure(code:)`` when one cannot be read; the others can be, by their names.
    public func getAll() throws(SecureStorageError) -> [String: StorageValue] {
        let layer = try state.withLock { state throws(SecureStorageError) in try state.loaded }
        try layer.requireReadable(at: environment.now())
        var all: [String: StorageValue] = [:]
        all.reserveCapacity(layer.entryCount)
        for (name, entry) in try layer.sortedEntries() {
            all[name.text] = try ReadableEntry(entry: entry, name: name, keys: layer.keys).value()
        }
        return all
    }

    /// The names of all entries, sorted by their bytes.
    ///
    /// Throws ``SecureStorageError/notLoaded``, ``SecureStorageError/entriesLost`` and
    /// ``SecureStorageError/ioFailure(code:)``.
    public func names() throws(SecureStorageError) -> [String] {
        try state.withLock { state throws(SecureStorageError) in try state.loaded }.names().map(\.text)
    }

    /// The names of the entries whose values are damaged, sorted by their bytes; every value is read and decrypted.
    ///
    /// Each costs itself alone, and stays as it is until it is put anew or given up with ``remove(forKey:)``. Throws
    /// ``SecureStorageError/notLoaded``, ``SecureStorageError/userPresenceFailed(_:)``,
    /// ``SecureStorageError/entriesLost`` and ``SecureStorageError/ioFailure(code:)``.
    public func damagedNames() throws(SecureStorageError) -> [String] {
        let layer = try state.withLock { state throws(SecureStorageError) in try state.loaded }
        try layer.requireReadable(at: environment.now())
        return try layer.damagedNames().map(\.text)
    }

    private func reading(_ name: EntryName) throws(SecureStorageError) -> ReadableEntry {
        let found = try state.withLock { state throws(SecureStorageError) in
            guard let found = try state.layer?.find(name, at: environment.now()) else { throw .notLoaded }
            return found
        }
        switch found {
        case .held(let entry): return entry
        case .inBase(let base, let keys):
            // The base never changes, so no other caller waits for the disk.
            let entry = try base.readable(name, keys)
            state.withLock { $0.layer?.keep(entry, of: base) }
            return entry
        }
    }

    // MARK: - The rest

    /// Whether there is an entry of a name.
    ///
    /// Throws ``SecureStorageError/keyNameInvalid(_:)``, ``SecureStorageError/notLoaded``,
    /// ``SecureStorageError/entriesLost`` and ``SecureStorageError/ioFailure(code:)``.
    public func contains(key: String) throws(SecureStorageError) -> Bool {
        let name = try EntryName(key: key)
        return try state.withLock { state throws(SecureStorageError) in
            guard let layer = state.layer else { throw .notLoaded }
            return try layer.contains(name)
        }
    }

    /// Removes an entry, also a damaged one; `write()` makes it permanent.
    ///
    /// Throws ``SecureStorageError/unknownKey`` and what ``contains(key:)`` throws.
    public func remove(forKey key: String) throws(SecureStorageError) {
        let name = try EntryName(key: key)
        try state.withLock { state throws(SecureStorageError) in
            guard state.layer != nil else { throw .notLoaded }
            try state.layer?.remove(name)
        }
    }

    /// Removes all entries; `write()` makes it permanent.
    ///
    /// Throws ``SecureStorageError/notLoaded``.
    public func clear() throws(SecureStorageError) {
        try state.withLock { state throws(SecureStorageError) in
            guard state.layer != nil else { throw .notLoaded }
            state.layer?.clear()
        }
    }

    /// Number of entries; 0 while the storage is not in memory.
    public var count: Int { state.withLock { $0.layer?.entryCount ?? 0 } }

    /// The same as ``count``.
    public var size: Int { count }
}
