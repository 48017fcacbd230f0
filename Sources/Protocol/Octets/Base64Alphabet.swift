/// One of the two alphabets of RFC 4648 with its decoding table.
struct Base64Alphabet: Sendable {
    static let standard = Base64Alphabet(last: (UInt8(ascii: "+"), UInt8(ascii: "/")))
    static let url = Base64Alphabet(last: (UInt8(ascii: "-"), UInt8(ascii: "_")))

    private static let foreign: UInt8 = 0xFF
    private let symbols: [UInt8]
    private let values: [UInt8]

    private init(last: (UInt8, UInt8)) {
        let symbols =
            Array(UInt8(ascii: "A")...UInt8(ascii: "Z")) + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
            + Array(UInt8(ascii: "0")...UInt8(ascii: "9")) + [last.0, last.1]
        var values = [UInt8](repeating: Self.foreign, count: 256)
        for (value, symbol) in symbols.enumerated() { values[Int(symbol)] = UInt8(value) }
        self.symbols = symbols
        self.values = values
    }

    func encode(_ bytes: some Collection<UInt8>, padded: Bool) -> String {
        encode(Array(bytes), padded: padded)
    }

    private func encode(_ bytes: [UInt8], padded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        let whole = bytes.count - bytes.count % 3
        for offset in stride(from: 0, to: whole, by: 3) {
            let group = UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
            append(group, symbolCount: 4, to: &text)
        }
        switch bytes.count - whole {
        case 1: append(UInt32(bytes[whole]) << 16, symbolCount: 2, to: &text)
        case 2: append(UInt32(bytes[whole]) << 16 | UInt32(bytes[whole + 1]) << 8, symbolCount: 3, to: &text)
        default: break
        }
        while padded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the first symbols of a group of 24 bits.
    private func append(_ group: UInt32, symbolCount: Int, to text: inout [UInt8]) {
        for index in 0..<symbolCount {
            text.append(symbols[Int(group >> UInt32(18 - 6 * index) & 0x3F)])
        }
    }

    func decode(_ text: [UInt8]) throws(Base64Error) -> [UInt8] {
        guard text.count % 4 != 1 else { throw .impossibleLength(text.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        let whole = text.count - text.count % 4
        var offset = 0
        while offset < whole {
            let group = (
                values[Int(text[offset])], values[Int(text[offset + 1])],
                values[Int(text[offset + 2])], values[Int(text[offset + 3])]
            )
            guard (group.0 | group.1 | group.2 | group.3) < 64 else { throw foreign(in: text, from: offset) }
            bytes.append(group.0 << 2 | group.1 >> 4)
            bytes.append(group.1 << 4 | group.2 >> 2)
            bytes.append(group.2 << 6 | group.3)
            offset += 4
        }
        try decodeTail(text, from: whole, into: &bytes)
        return bytes
    }

    /// The last two or three characters, which stand for one or two bytes.
    private func decodeTail(_ text: [UInt8], from start: Int, into bytes: inout [UInt8]) throws(Base64Error) {
        guard start < text.count else { return }
        let tail = text[start...].map { values[Int($0)] }
        guard tail.allSatisfy({ $0 < 64 }) else { throw foreign(in: text, from: start) }
        bytes.append(tail[0] << 2 | tail[1] >> 4)
        guard tail.count == 3 else {
            guard tail[1] & 0x0F == 0 else { throw .trailingBits }
            return
        }
        guard tail[2] & 0x03 == 0 else { throw .trailingBits }
        bytes.append(tail[1] << 4 | tail[2] >> 2)
    }

    private func foreign(in text: [UInt8], from start: Int) -> Base64Error {
        let offset = text[start...].firstIndex { values[Int($0)] == Self.foreign }
        return .foreignCharacter(offset: offset ?? start)
    }
}
