extension SecureStorage {
    /// One value of a storage, as it was put.
    public enum StorageValue: Hashable, Sendable {
        /// A text.
        case string(String)
        /// Bytes.
        case bytes([UInt8])
    }
}
