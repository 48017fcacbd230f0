import Octets

/// Reads a structure of the TPM library: integers with the most significant byte first, buffers behind their size
/// (TPM 2.0, part 1, section 4, and part 2).
struct TPMReader {
    private var octets: OctetReader
    private let structure: TPMRefusal.Structure

    var malformed: TPMRefusal { .malformed(structure) }

    init(_ bytes: [UInt8], as structure: TPMRefusal.Structure) {
        octets = OctetReader(bytes)
        self.structure = structure
    }

    mutating func readUInt8() throws(TPMRefusal) -> UInt8 {
        guard let value = try? octets.readUInt8() else { throw .malformed(structure) }
        return value
    }

    mutating func readUInt16() throws(TPMRefusal) -> UInt16 {
        guard let value = try? octets.readUInt16LittleEndian() else { throw .malformed(structure) }
        return value.byteSwapped
    }

    mutating func readUInt32() throws(TPMRefusal) -> UInt32 {
        guard let value = try? octets.readUInt32BigEndian() else { throw .malformed(structure) }
        return value
    }

    mutating func readUInt64() throws(TPMRefusal) -> UInt64 {
        let high = try readUInt32()
        return UInt64(high) << 32 | UInt64(try readUInt32())
    }

    /// Takes a buffer behind its size (16 bits), of at most so many bytes.
    mutating func readBuffer(limit: Int) throws(TPMRefusal) -> [UInt8] {
        let count = Int(try readUInt16())
        guard count <= limit, let content = try? octets.read(count: count) else { throw .malformed(structure) }
        return Array(content)
    }

    /// Takes a number of at most so many bytes behind its size; gives it with zeros in front.
    ///
    /// Chips may leave leading zeros off, and some do.
    mutating func readNumber(byteCount: Int) throws(TPMRefusal) -> [UInt8] {
        let number = try readBuffer(limit: byteCount)
        return [UInt8](repeating: 0, count: byteCount - number.count) + number
    }

    /// Ends reading; nothing may follow.
    func finish() throws(TPMRefusal) {
        guard octets.isAtEnd else { throw .malformed(structure) }
    }
}
