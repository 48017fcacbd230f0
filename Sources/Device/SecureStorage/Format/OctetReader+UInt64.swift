import Octets

extension OctetReader {
    mutating func readUInt64LittleEndian() throws(OctetError) -> UInt64 {
        let low = try readUInt32LittleEndian()
        let high = try readUInt32LittleEndian()
        return UInt64(low) | UInt64(high) << 32
    }
}

extension OctetWriter {
    mutating func writeUInt64LittleEndian(_ value: UInt64) {
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: value))
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: value >> 32))
    }
}

extension UnsafeRawBufferPointer {
    /// The number whose least significant byte is at a place; the caller has looked that all of its bytes are there.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, least significant first; as one piece, unlike code that is generic in another module.
    mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
