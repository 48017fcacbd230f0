/// Files that promise a picture and hold none.
enum PNGHeader {
    /// A header for gray pixels of these sizes with a correct checksum, and the end of the file.
    static func file(width: UInt32, height: UInt32) -> [UInt8] {
        let sizes = [width, height].flatMap { size in (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return signature + chunk("IHDR", sizes + [8, 0, 0, 0, 0]) + chunk("IDAT", []) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return octets(UInt32(content.count)) + body + octets(checksum(body))
    }

    private static func octets(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func checksum(_ body: [UInt8]) -> UInt32 {
        ~body.reduce(UInt32.max) { sum, octet in
            (0..<8).reduce(sum ^ UInt32(octet)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
