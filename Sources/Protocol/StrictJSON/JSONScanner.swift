/// Reads the lexical elements of JSON from bytes.
struct JSONScanner: ~Copyable {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func advance() {
        offset += 1
    }

    mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    func peek() throws(StrictJSONError) -> UInt8 {
        guard offset < bytes.count else { throw .unexpectedEnd(offset: offset) }
        return bytes[offset]
    }

    /// Takes `byte` if it comes next.
    mutating func take(_ byte: UInt8) throws(StrictJSONError) -> Bool {
        guard try peek() == byte else { return false }
        offset += 1
        return true
    }

    mutating func skipWhiteSpaceAndTake(_ byte: UInt8) throws(StrictJSONError) -> Bool {
        skipWhiteSpace()
        return try take(byte)
    }

    mutating func readLiteralOrNumber() throws(StrictJSONError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "t"): return try readLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try readLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        default: throw .unexpectedByte(offset: offset)
        }
    }

    private mutating func readLiteral(
        _ literal: StaticString, _ value: JSONValue
    ) throws(StrictJSONError) -> JSONValue {
        for expected in literal.description.utf8 {
            guard try peek() == expected else { throw .unexpectedByte(offset: offset) }
            offset += 1
        }
        return value
    }

    // MARK: - Numbers

    private mutating func readNumber() throws(StrictJSONError) -> JSONNumber {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let integerStart = offset
        try skipDigits(start)
        guard bytes[integerStart] != UInt8(ascii: "0") || offset == integerStart + 1 else {
            throw .invalidNumber(offset: start)
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits(start)
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits(start)
        }
        return JSONNumber(text: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    /// Skips digits, at least one.
    private mutating func skipDigits(_ start: Int) throws(StrictJSONError) {
        let first = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        guard offset > first else { throw .invalidNumber(offset: start) }
    }

    // MARK: - Strings

    /// Reads a string; the next byte is its opening quote.
    mutating func readString() throws(StrictJSONError) -> String {
        offset += 1
        let start = offset
        let plainEnd = try endOfPlainRun()
        if bytes[plainEnd] == UInt8(ascii: "\"") {
            offset = plainEnd + 1
            return try text(bytes[start..<plainEnd], at: start)
        }
        return try readEscapedString(start: start)
    }

    private mutating func readEscapedString(start: Int) throws(StrictJSONError) -> String {
        var content: [UInt8] = []
        while true {
            let end = try endOfPlainRun()
            content.append(contentsOf: bytes[offset..<end])
            offset = end + 1
            guard bytes[end] == UInt8(ascii: "\\") else { return try text(content[...], at: start) }
            try readEscape(into: &content)
        }
    }

    /// Offset of the next quote or backslash.
    private func endOfPlainRun() throws(StrictJSONError) -> Int {
        // Nearly all of a message is inside strings, so this loop decides how long reading takes.
        let end = bytes.withUnsafeBufferPointer { bytes in
            var end = offset
            while end < bytes.count, Self.isPlain(bytes[end]) { end += 1 }
            return end
        }
        guard end < bytes.count else { throw .unexpectedEnd(offset: end) }
        guard bytes[end] >= 0x20 else { throw .controlCharacter(offset: end) }
        return end
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private func text(_ content: ArraySlice<UInt8>, at start: Int) throws(StrictJSONError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw .invalidUTF8(offset: start) }
        return text
    }

    private mutating func readEscape(into content: inout [UInt8]) throws(StrictJSONError) {
        let escape = try peek()
        offset += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(escape)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: Array(String(try readScalar()).utf8))
        default: throw .invalidEscape(offset: offset - 2)
        }
    }

    /// Reads what follows `\u`, and the second half of a surrogate pair.
    private mutating func readScalar() throws(StrictJSONError) -> Unicode.Scalar {
        let start = offset - 2
        let first = try readFourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw .loneSurrogate(offset: start) }
        offset += 2
        let second = try readFourDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .loneSurrogate(offset: start) }
        return scalar
    }

    private mutating func readFourDigits() throws(StrictJSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue, bytes[offset] < 0x80 else {
                throw .invalidEscape(offset: offset)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
