import Octets

extension OctetReader {
    /// Takes eight bytes, least significant first.
    mutating func readUInt64LittleEndian() throws(OctetError) -> UInt64 {
        let low = try readUInt32LittleEndian()
        let high = try readUInt32LittleEndian()
        return UInt64(low) | UInt64(high) << 32
    }
}

extension OctetWriter {
    /// Appends eight bytes, least significant first.
    mutating func writeUInt64LittleEndian(_ value: UInt64) {
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: value))
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: value >> 32))
    }
}

extension [UInt8] {
    /// Appends eight bytes, least significant first; copied as one piece, unlike by code that is generic in another module.
    mutating func appendLittleEndian(_ value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
