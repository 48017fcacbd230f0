import Octets
import Testing

@Suite("Bounded reading and writing")
struct OctetReaderTests {
    @Test("Numbers and bytes come back as they were written")
    func roundTrip() throws {
        var writer = OctetWriter(capacity: 16)
        writer.writeUInt8(0x01)
        writer.writeUInt16LittleEndian(0x0203)
        writer.writeUInt32LittleEndian(0x0405_0607)
        writer.writeUInt32BigEndian(0x0809_0A0B)
        writer.write([0xFF, 0xFE])
        #expect(
            writer.bytes == [0x01, 0x03, 0x02, 0x07, 0x06, 0x05, 0x04, 0x08, 0x09, 0x0A, 0x0B, 0xFF, 0xFE])

        var reader = OctetReader(writer.bytes)
        #expect(try reader.readUInt8() == 0x01)
        #expect(try reader.readUInt16LittleEndian() == 0x0203)
        #expect(try reader.readUInt32LittleEndian() == 0x0405_0607)
        #expect(try reader.readUInt32BigEndian() == 0x0809_0A0B)
        #expect(reader.position == 11)
        #expect(Array(reader.readRest()) == [0xFF, 0xFE])
        #expect(reader.isAtEnd)
        try reader.finish()
    }

    @Test("A read past the end takes nothing and says what was missing")
    func truncated() throws {
        var reader = OctetReader([1, 2, 3])
        _ = try reader.readUInt8()
        #expect(throws: OctetError.truncated(position: 1, needed: 4, available: 2)) {
            try reader.read(count: 4)
        }
        #expect(reader.position == 1)
        #expect(try reader.readUInt16LittleEndian() == 0x0302)
        #expect(throws: OctetError.truncated(position: 3, needed: 1, available: 0)) { try reader.readUInt8() }
    }

    @Test("A negative or huge count is refused", arguments: [-1, Int.min, Int.max])
    func absurdCounts(count: Int) {
        var reader = OctetReader([1, 2, 3])
        #expect(throws: OctetError.self) { try reader.read(count: count) }
        #expect(reader.position == 0)
    }

    @Test("Bytes left at the end are an error")
    func trailing() {
        var reader = OctetReader([1, 2, 3])
        _ = try? reader.readUInt8()
        #expect(throws: OctetError.trailing(position: 1, count: 2)) { try reader.finish() }
    }

    @Test("Positions count from the start of a slice, not of the array it is part of")
    func slices() throws {
        let bytes: [UInt8] = [9, 9, 1, 2]
        var reader = OctetReader(bytes[2...])
        #expect(reader.position == 0)
        #expect(try reader.readUInt8() == 1)
        #expect(reader.position == 1)
    }
}
