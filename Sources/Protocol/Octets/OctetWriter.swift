/// Collects bytes in order.
package struct OctetWriter: Sendable {
    /// Everything written so far.
    package private(set) var bytes: [UInt8] = []

    /// Starts empty, with room for `capacity` bytes.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends bytes as they are.
    package mutating func write(_ octets: some Sequence<UInt8>) {
        bytes.append(contentsOf: octets)
    }

    /// Appends one byte.
    package mutating func writeUInt8(_ value: UInt8) {
        bytes.append(value)
    }

    /// Appends two bytes, least significant first.
    package mutating func writeUInt16LittleEndian(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Appends four bytes, least significant first.
    package mutating func writeUInt32LittleEndian(_ value: UInt32) {
        writeUInt16LittleEndian(UInt16(truncatingIfNeeded: value))
        writeUInt16LittleEndian(UInt16(truncatingIfNeeded: value >> 16))
    }

    /// Appends four bytes, most significant first.
    package mutating func writeUInt32BigEndian(_ value: UInt32) {
        writeUInt32LittleEndian(value.byteSwapped)
    }
}
