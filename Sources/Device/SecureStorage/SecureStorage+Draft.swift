import Locking
import Octets

extension SecureStorage {
    /// The volatile layer as it is now, to be read without others in between; what is changed in it goes nowhere.
    ///
    /// Throws ``SecureStorageError/notLoaded``.
    package func snapshot() throws(SecureStorageError) -> Draft {
        let layer = try state.withLock { state throws(SecureStorageError) in try state.loaded }
        return Draft(layer: layer, environment: environment, limits: configuration.limits)
    }

    /// A storage as `update(_:)` changes it; the entries are read and changed as in the storage itself.
    ///
    /// ```swift
    /// try await storage.update { draft throws(SecureStorageError) in
    ///     let count = draft.count + 1
    ///     try draft.putString("\(count)", forKey: "attempt-\(count)")
    /// }
    /// ```
    public struct Draft: ~Copyable {
        var layer: VolatileLayer
        let environment: StorageEnvironment
        let limits: Limits

        init(layer: VolatileLayer, environment: StorageEnvironment, limits: Limits) {
            self.layer = layer
            self.environment = environment
            self.limits = limits
        }

        /// Puts a text under a name, in place of what was there.
        ///
        /// Throws what ``SecureStorage/putString(_:forKey:)`` throws.
        public mutating func putString(_ value: String, forKey key: String) throws(SecureStorageError) {
            try put(SecretOctets(copying: value.utf8), as: .string, key)
        }

        /// Puts bytes under a name, in place of what was there.
        ///
        /// Throws what ``SecureStorage/putBytes(_:forKey:)`` throws.
        public mutating func putBytes(_ value: some Collection<UInt8>, forKey key: String) throws(SecureStorageError) {
            try put(SecretOctets(copying: value), as: .bytes, key)
        }

        /// The text of a name.
        ///
        /// Throws what ``SecureStorage/getString(forKey:)`` throws.
        public borrowing func getString(forKey key: String) throws(SecureStorageError) -> String {
            try layer.reading(EntryName(key: key), at: environment.now()).string()
        }

        /// The bytes of a name.
        ///
        /// Throws what ``SecureStorage/getBytes(forKey:)`` throws.
        public borrowing func getBytes(forKey key: String) throws(SecureStorageError) -> [UInt8] {
            try layer.reading(EntryName(key: key), at: environment.now()).bytes()
        }

        /// Whether there is an entry of a name.
        ///
        /// Throws what ``SecureStorage/contains(key:)`` throws.
        public borrowing func contains(key: String) throws(SecureStorageError) -> Bool {
            try layer.contains(EntryName(key: key))
        }

        /// Whether there is an entry of a name, and its value is whole.
        package borrowing func isReadable(_ key: String) -> Bool {
            (try? layer.reading(EntryName(key: key), at: environment.now()).opened { _ in }) != nil
        }

        /// Removes an entry.
        ///
        /// Throws what ``SecureStorage/remove(forKey:)`` throws.
        public mutating func remove(forKey key: String) throws(SecureStorageError) {
            try layer.remove(EntryName(key: key))
        }

        /// Removes all entries.
        public mutating func clear() { layer.clear() }

        /// The names of all entries, sorted by their bytes.
        package func names() throws(SecureStorageError) -> [String] { try layer.names().map(\.text) }

        /// Number of entries.
        public var count: Int { layer.entryCount }

        private mutating func put(
            _ value: consuming SecretOctets, as kind: EntryKind, _ key: String
        ) throws(SecureStorageError) {
            let name = try EntryName(key: key)
            try value.withUnsafeBytes { bytes throws(SecureStorageError) in
                try layer.put(bytes, as: kind, named: name, nonce: environment.nonce(), limits: limits)
            }
        }
    }
}
