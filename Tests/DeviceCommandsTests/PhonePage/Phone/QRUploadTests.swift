import Testing

@testable import PhonePage

@Suite("A picture that is uploaded is judged before it is decoded")
struct QRUploadTests {
    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Head of a PNG of these sizes, with the checksum of its header left wrong or right.
    private static func picture(_ header: [UInt8]) -> [UInt8] { mark + [0, 0, 0, 13] + header }

    @Test("A file of 1 MiB and one octet is too large")
    func tooLargeFile() {
        let file = Self.mark + [UInt8](repeating: 0, count: QRUpload.byteLimit + 1 - Self.mark.count)
        #expect(throws: PhonePageRefusal.tooLarge) { try QRUpload.text(in: file) }
    }

    @Test("What is no PNG is malformed", arguments: [[UInt8](), Array("GIF89a".utf8), Array("<svg/>".utf8), mark])
    func malformed(file: [UInt8]) {
        #expect(throws: PhonePageRefusal.malformed) { try QRUpload.text(in: file) }
    }

    @Test("A picture of 60,000 x 60,000 is refused by its header, in no time")
    func bomb() {
        // IHDR with width, height, 8 bit grey, and its CRC-32.
        let header: [UInt8] = [0x49, 0x48, 0x44, 0x52, 0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 0, 0, 0, 0]
        let content = Array("IDAT".utf8)
        let file = Self.picture(header + CRC.of(header)) + [0, 0, 0, 0] + content + CRC.of(content)
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(throws: PhonePageRefusal.self) { try QRUpload.text(in: file) }
        }
        #expect(time < .seconds(1))
    }
}

/// CRC-32 of PNG (RFC 2083, 15).
private enum CRC {
    static func of(_ octets: [UInt8]) -> [UInt8] {
        var crc: UInt32 = 0xFFFF_FFFF
        for octet in octets {
            crc ^= UInt32(octet)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        crc ^= 0xFFFF_FFFF
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }
}
