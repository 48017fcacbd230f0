extension SecureStorage {
    /// The most that a storage takes; also checked before memory is taken for a file.
    public struct Limits: Hashable, Sendable {
        /// The most entries that any storage can have.
        public static let entryCountCeiling = 131_072
        /// The most bytes that any value can have: 16 MiB.
        public static let valueByteCountCeiling = 16 << 20
        /// The most bytes that the file of any storage can have: 64 MiB.
        public static let storageByteCountCeiling = 64 << 20

        /// Entries of a storage.
        public let entryCount: Int
        /// Bytes of one value.
        public let valueByteCount: Int
        /// Bytes of the file.
        public let storageByteCount: Int

        /// Sets limits; each is brought between 1 and its ceiling.
        public init(
            entryCount: Int = 65_536, valueByteCount: Int = valueByteCountCeiling,
            storageByteCount: Int = storageByteCountCeiling
        ) {
            self.entryCount = min(max(entryCount, 1), Self.entryCountCeiling)
            self.valueByteCount = min(max(valueByteCount, 1), Self.valueByteCountCeiling)
            self.storageByteCount = min(max(storageByteCount, 1), Self.storageByteCountCeiling)
        }
    }
}
