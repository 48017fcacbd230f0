extension StoreFile {
    /// Whether the index, read as if it stood in clear, names values that lie where it says; nothing is decrypted.
    ///
    /// This is everything that a reader does with bytes of a stranger before the keys have vouched for them, and more.
    package var hasReadableIndex: Bool {
        guard let index = EntryIndex(parsing: Array(index), header: header) else { return false }
        return index.entries.allSatisfy { entry in
            let start = values.startIndex + Int(entry.offset)
            return SealedValue(values[start..<start + entry.sealedByteCount]) != nil
        }
    }
}
