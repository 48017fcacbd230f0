import SecureStorage

extension FuzzedParser {
    /// Parsers of secure storage files, which an attacker may have changed.
    static let storage: [FuzzedParser] = [
        FuzzedParser("storage-file") { bytes throws(FuzzFinding) in
            guard let file = try? StoreFile(parsing: bytes) else { return false }
            _ = file.hasReadableIndex
            return true
        },
        exact("storage-wrap", read: { try wrap($0) }, write: { $0.encoded }),
    ]

    private struct NoWrapSection: Error {}

    private static func wrap(_ bytes: [UInt8]) throws -> WrapSection {
        guard let wrap = WrapSection(parsing: bytes) else { throw NoWrapSection() }
        return wrap
    }
}
