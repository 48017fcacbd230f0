/// What a sealed value is bound to, so that it opens under no other name, type, storage or state.
struct ValueContext {
    private static let label = Array("SST1v".utf8)

    let storageID: [UInt8]
    let putGeneration: UInt64
    let kind: IndexedEntry.Kind
    let name: EntryName

    /// Lends label, storage, generation, type and name side by side.
    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let name = name.text.utf8
        let count = Self.label.count + storageID.count + 8 + 1 + name.count
        return try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) {
            buffer throws(Failure) -> Result in
            Self.put(Self.label, into: buffer, at: 0)
            Self.put(storageID, into: buffer, at: Self.label.count)
            let start = Self.label.count + storageID.count
            for byte in 0..<8 {
                buffer[start + byte] = UInt8(truncatingIfNeeded: putGeneration >> (8 * UInt64(byte)))
            }
            buffer[start + 8] = kind.rawValue
            Self.put(name, into: buffer, at: start + 9)
            return try body(UnsafeRawBufferPointer(buffer))
        }
    }

    private static func put(
        _ octets: some Collection<UInt8>, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]).copyBytes(from: octets)
    }
}
