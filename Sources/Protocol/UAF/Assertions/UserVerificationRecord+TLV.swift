extension UserVerificationRecord {
    /// Longest pseudonym in bytes.
    static let byteCounts = 1...32

    /// Reads the pseudonyms among `fields`.
    init(in fields: TLVFields) throws(TLVError) {
        self.init(
            index: try Self.pseudonym(fields[.userVerificationIndex]),
            state: try Self.pseudonym(fields[.userVerificationState]))
    }

    private static func pseudonym(_ element: TLVElement?) throws(TLVError) -> [UInt8]? {
        guard let element else { return nil }
        return Array(try element.value(byteCounts: byteCounts))
    }
}
