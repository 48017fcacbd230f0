import Octets

/// Reads the lexical elements of JSON from bytes.
///
/// It borrows the bytes: the caller keeps them alive for as long as it is used.
struct JSONScanner: ~Copyable {
    let text: UnsafeBufferPointer<UInt8>
    private(set) var offset = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The text of a number, or of a string with its escapes resolved.
    static func string(_ token: JSONToken, in text: UnsafeBufferPointer<UInt8>) -> String {
        guard token.kind == .escapedString else {
            return String(decoding: UnsafeBufferPointer(rebasing: text[token.characters]), as: UTF8.self)
        }
        var scanner = JSONScanner(text)
        scanner.offset = token.characters.lowerBound
        // No escape is shorter than what it stands for.
        return String(unsafeUninitializedCapacity: token.characters.count) { target in
            guard let count = try? scanner.resolveEscapes(until: token.characters.upperBound, into: target) else {
                preconditionFailure("a string that was read once can be read again")
            }
            return count
        }
    }

    /// The byte at `offset`, checked in release builds too.
    private subscript(offset: Int) -> UInt8 {
        precondition(text.indices.contains(offset), "the scanner looks at bytes of the text only")
        return text[offset]
    }

    var isAtEnd: Bool { offset == text.count }

    mutating func advance() { offset += 1 }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while offset < text.count {
            switch self[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    @inline(__always)
    func peek() throws(StrictJSONError) -> UInt8 {
        guard offset < text.count else { throw .unexpectedEnd(offset: offset) }
        return self[offset]
    }

    @inline(__always)
    mutating func take(_ byte: UInt8) throws(StrictJSONError) -> Bool {
        guard try peek() == byte else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    mutating func skipWhiteSpaceAndTake(_ byte: UInt8) throws(StrictJSONError) -> Bool {
        skipWhiteSpace()
        return try take(byte)
    }

    mutating func readLiteralOrNumber() throws(StrictJSONError) -> JSONToken {
        switch try peek() {
        case UInt8(ascii: "t"): return try readLiteral("true", .yes)
        case UInt8(ascii: "f"): return try readLiteral("false", .no)
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        default: throw .unexpectedByte(offset: offset)
        }
    }

    private mutating func readLiteral(
        _ literal: StaticString, _ kind: JSONToken.Kind
    ) throws(StrictJSONError) -> JSONToken {
        let start = offset
        for expected in UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount) {
            guard try peek() == expected else { throw .unexpectedByte(offset: offset) }
            offset += 1
        }
        return JSONToken(kind, start..<offset)
    }

    // MARK: - Numbers

    private mutating func readNumber() throws(StrictJSONError) -> JSONToken {
        let start = offset
        if self[offset] == UInt8(ascii: "-") { offset += 1 }
        let integerStart = offset
        try skipDigits(start)
        guard self[integerStart] != UInt8(ascii: "0") || offset == integerStart + 1 else {
            throw .invalidNumber(offset: start)
        }
        if offset < text.count, self[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits(start)
        }
        if offset < text.count, self[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < text.count, self[offset] == UInt8(ascii: "+") || self[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits(start)
        }
        return JSONToken(.number, start..<offset)
    }

    /// Skips digits, at least one.
    private mutating func skipDigits(_ start: Int) throws(StrictJSONError) {
        let first = offset
        while offset < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[offset]) { offset += 1 }
        guard offset > first else { throw .invalidNumber(offset: start) }
    }

    // MARK: - Strings

    /// Reads a string; the next byte is its opening quote.
    mutating func readString() throws(StrictJSONError) -> JSONToken {
        offset += 1
        let start = offset
        let plain = PlainRun(in: text, from: start)
        guard try terminator(of: plain) == UInt8(ascii: "\"") else {
            try skipEscapedString()
            return JSONToken(.escapedString, start..<offset - 1)
        }
        offset = plain.end + 1
        // The check for UTF-8 is left out where it can find nothing.
        guard !plain.isASCII else { return JSONToken(.asciiString, start..<plain.end) }
        _ = try Self.string(of: text[start..<plain.end], at: start)
        return JSONToken(.plainString, start..<plain.end)
    }

    /// The number of bytes of a name, its escapes resolved.
    func octetCount(of name: JSONToken) -> Int {
        name.kind == .escapedString ? Self.string(name, in: text).utf8.count : name.characters.count
    }

    /// Reads the rest of a string that holds escapes.
    ///
    /// No escape stands for a part of a character, so that what is between them is UTF-8 by itself where the whole is.
    private mutating func skipEscapedString() throws(StrictJSONError) {
        let start = offset
        while true {
            let plain = PlainRun(in: text, from: offset)
            let terminator = try terminator(of: plain)
            if !plain.isASCII { _ = try Self.string(of: text[offset..<plain.end], at: start) }
            offset = plain.end + 1
            guard terminator == UInt8(ascii: "\\") else { return }
            _ = try readEscape()
        }
    }

    /// Writes a string that was read, its escapes resolved, and returns the number of its bytes.
    private mutating func resolveEscapes(
        until end: Int, into target: UnsafeMutableBufferPointer<UInt8>
    ) throws(StrictJSONError) -> Int {
        var count = 0
        while offset < end {
            let plain = text[offset..<PlainRun(in: text, from: offset).end]
            count = target[count...].update(fromContentsOf: plain)
            offset = plain.endIndex + 1
            guard offset < end else { break }
            count = target[count...].update(fromContentsOf: try readEscape().utf8)
        }
        return count
    }

    private func terminator(of plain: PlainRun) throws(StrictJSONError) -> UInt8 {
        guard plain.end < text.count else { throw .unexpectedEnd(offset: plain.end) }
        let terminator = self[plain.end]
        guard terminator >= 0x20 else { throw .controlCharacter(offset: plain.end) }
        return terminator
    }

    private static func string(
        of content: some Collection<UInt8>, at start: Int
    ) throws(StrictJSONError) -> String {
        guard let string = String(validUTF8: content) else { throw .invalidUTF8(offset: start) }
        return string
    }

    private mutating func readEscape() throws(StrictJSONError) -> Unicode.Scalar {
        let escape = try peek()
        offset += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(escape)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readScalar()
        default: throw .invalidEscape(offset: offset - 2)
        }
    }

    /// Reads what follows `\u`, and the second half of a surrogate pair.
    private mutating func readScalar() throws(StrictJSONError) -> Unicode.Scalar {
        let start = offset - 2
        let first = try readFourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, offset + 1 < text.count, self[offset] == UInt8(ascii: "\\"),
            self[offset + 1] == UInt8(ascii: "u")
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
            guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue, self[offset] < 0x80 else {
                throw .invalidEscape(offset: offset)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
