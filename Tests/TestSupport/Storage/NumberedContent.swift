package import SecureStorage

/// Content of a storage in its n-th state, from which a reader can tell the state, and that nothing is missing.
package struct NumberedContent: Hashable, Sendable {
    private static let entryCount = 6

    /// Number of the state.
    package let number: Int

    /// Content of state `number`.
    package init(_ number: Int) {
        self.number = number
    }

    /// Names and values: the number, and some entries whose names, lengths and bytes depend on it.
    package var entries: [String: SecureStorage.StorageValue] {
        var dice = SeededGenerator(seed: UInt64(number))
        var entries: [String: SecureStorage.StorageValue] = ["number": .string(String(number))]
        for index in 0..<Self.entryCount {
            let count = Int.random(in: 0...120, using: &dice)
            let name = "entry-\(index)-\(number % (index + 1))"
            entries[name] = .bytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) })
        }
        return entries
    }

    /// Replaces the content of a storage in memory; nothing is written yet.
    package func put(into storage: SecureStorage) throws(SecureStorageError) {
        try storage.clear()
        try put(in: storage)
    }

    /// The same entry by entry: what does not belong to the state is removed, the rest put.
    package func edit(_ storage: SecureStorage) throws(SecureStorageError) {
        let wanted = entries
        for name in try storage.names() where wanted[name] == nil { try storage.remove(forKey: name) }
        try put(in: storage)
    }

    private func put(in storage: SecureStorage) throws(SecureStorageError) {
        for (name, value) in entries {
            switch value {
            case .string(let text): try storage.putString(text, forKey: name)
            case .bytes(let bytes): try storage.putBytes(bytes, forKey: name)
            }
        }
    }

    /// Reads the state of a storage.
    ///
    /// Nil when it is empty. Throws ``Torn`` when it is not one complete state, and the errors of the getters.
    package static func found(in storage: SecureStorage) throws -> NumberedContent? {
        let entries = try storage.getAll()
        guard !entries.isEmpty else { return nil }
        guard case .string(let text)? = entries["number"], let number = Int(text) else { throw Torn() }
        let content = NumberedContent(number)
        guard content.entries == entries else { throw Torn() }
        return content
    }

    /// Error of a storage that contains parts of a state, or of several.
    package struct Torn: Error {}
}
