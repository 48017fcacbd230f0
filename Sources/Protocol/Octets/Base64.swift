/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
    /// Strictness of a reader.
    package enum Strictness: Sendable {
        /// Only the base64url alphabet, no padding, canonical last bits.
        case strict
        /// Also the standard alphabet, padding and white space, as some clients in the field send them.
        case lenient
    }

    /// Encodes bytes; the result has no padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.url.encode(Array(bytes), padded: false)
    }

    /// Decodes text.
    ///
    /// Throws ``Base64Error`` with the offset of the first offending byte.
    package static func decode(
        _ text: String, strictness: Strictness = .strict
    ) throws(Base64Error) -> [UInt8] {
        switch strictness {
        case .strict: try Base64Alphabet.url.decode(text)
        case .lenient: try Base64Alphabet.url.decode(canonical(text))
        }
    }

    /// Rewrites a sloppy spelling into the strict one: standard alphabet to url alphabet, no padding, no white space.
    private static func canonical(_ text: String) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="), UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): nil
            default: byte
            }
        }
    }
}

/// base64 with the standard alphabet and padding (RFC 4648, section 4): certificates in metadata, icons, PEM.
package enum Base64 {
    /// Encodes bytes with padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.standard.encode(Array(bytes), padded: true)
    }

    /// Decodes padded text; the padding must be exactly what the length asks for.
    package static func decode(_ text: String) throws(Base64Error) -> [UInt8] {
        var bytes = Array(text.utf8)
        guard bytes.count.isMultiple(of: 4) else { throw .impossibleLength(bytes.count) }
        var padding = 0
        while padding < 2, bytes.last == UInt8(ascii: "=") {
            bytes.removeLast()
            padding += 1
        }
        return try Base64Alphabet.standard.decode(bytes)
    }
}

/// Errors of decoding base64.
@nonexhaustive
package enum Base64Error: Error, Hashable, Sendable {
    /// No byte string has an encoding of this many characters.
    case impossibleLength(Int)
    /// A character outside the alphabet (also padding and white space) at this offset.
    case foreignCharacter(offset: Int)
    /// The last character carries bits that belong to no byte, so the text is not the canonical one.
    case trailingBits
}

/// One of the two alphabets of RFC 4648 with its decoding table.
struct Base64Alphabet: Sendable {
    static let standard = Base64Alphabet(last: (UInt8(ascii: "+"), UInt8(ascii: "/")))
    static let url = Base64Alphabet(last: (UInt8(ascii: "-"), UInt8(ascii: "_")))

    private static let foreign: UInt8 = 0xFF
    private let symbols: [UInt8]
    private let values: [UInt8]
    /// For each place in a group of four characters and each character, the bits that it gives to the three bytes, the
    /// first of them lowest; ``foreignBits`` for a foreign one.
    private let shares: [UInt32]

    private init(last: (UInt8, UInt8)) {
        let symbols =
            Array(UInt8(ascii: "A")...UInt8(ascii: "Z")) + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
            + Array(UInt8(ascii: "0")...UInt8(ascii: "9")) + [last.0, last.1]
        var values = [UInt8](repeating: Self.foreign, count: 256)
        for (value, symbol) in symbols.enumerated() { values[Int(symbol)] = UInt8(value) }
        self.symbols = symbols
        self.values = values
        shares = (0..<4).flatMap { place in values.map { Self.share($0, place) } }
    }

    private static let foreignBits: UInt32 = 0xFF00_0000

    private static func share(_ value: UInt8, _ place: Int) -> UInt32 {
        guard value != foreign else { return foreignBits }
        return (UInt32(value) << UInt32(18 - 6 * place)).byteSwapped >> 8
    }

    // MARK: - Encoding

    func encode(_ bytes: [UInt8], padded: Bool) -> String {
        let (whole, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let symbolCount = whole * 4 + (rest == 0 ? 0 : rest + 1)
        let count = padded ? (symbolCount + 3) / 4 * 4 : symbolCount
        return unsafe String(unsafeUninitializedCapacity: count) { text in
            unsafe encode(bytes, into: text)
            for position in symbolCount..<count { unsafe text[position] = UInt8(ascii: "=") }
            return count
        }
    }

    /// Writes the symbols for `bytes` into `text`, which has room for them.
    private func encode(_ bytes: [UInt8], into text: UnsafeMutableBufferPointer<UInt8>) {
        let whole = bytes.count - bytes.count % 3
        var offset = 0
        for start in stride(from: 0, to: whole, by: 3) {
            let group = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
            for place in 0..<4 { unsafe text[offset + place] = symbol(place, of: group) }
            offset += 4
        }
        guard whole < bytes.count else { return }
        let hasSecond = whole + 1 < bytes.count
        let group = UInt32(bytes[whole]) << 16 | (hasSecond ? UInt32(bytes[whole + 1]) << 8 : 0)
        for place in 0..<(hasSecond ? 3 : 2) { unsafe text[offset + place] = symbol(place, of: group) }
    }

    /// The symbol for six bits of a group of 24, counted from the most significant ones.
    private func symbol(_ place: Int, of group: UInt32) -> UInt8 {
        symbols[Int(group >> UInt32(18 - 6 * place) & 0x3F)]
    }

    // MARK: - Decoding

    func decode(_ text: String) throws(Base64Error) -> [UInt8] {
        // Only texts that Foundation keeps in another form have no contiguous storage.
        guard let bytes = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe decoded($0) }) else {
            return try decode(Array(text.utf8))
        }
        return try bytes.get()
    }

    func decode(_ text: [UInt8]) throws(Base64Error) -> [UInt8] {
        try unsafe text.withUnsafeBufferPointer { unsafe decoded($0) }.get()
    }

    private func decoded(_ text: UnsafeBufferPointer<UInt8>) -> Result<[UInt8], Base64Error> {
        guard text.count % 4 != 1 else { return .failure(.impossibleLength(text.count)) }
        var fault: Base64Error?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 2) { bytes, count in
            count = unsafe shares.withUnsafeBufferPointer { unsafe Self.decodeGroups(text, into: bytes, shares: $0) }
            fault = unsafe decodeTail(text, into: bytes, count: &count)
        }
        if let fault { return .failure(fault) }
        return .success(bytes)
    }

    /// Decodes groups of four characters until one is foreign or fewer are left; gives the number of bytes written.
    ///
    /// A group is written as four bytes, of which the next group or the tail overwrites the last: `bytes` has room for it.
    private static func decodeGroups(
        _ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>,
        shares: UnsafeBufferPointer<UInt32>
    ) -> Int {
        let room = UnsafeMutableRawBufferPointer(bytes)
        var (offset, count) = (0, 0)
        while offset + 4 <= text.count {
            let group =
                unsafe shares[Int(text[offset])] | shares[256 + Int(text[offset + 1])]
                | shares[512 + Int(text[offset + 2])] | shares[768 + Int(text[offset + 3])]
            guard group < foreignBits else { break }
            unsafe room.storeBytes(of: group.littleEndian, toByteOffset: count, as: UInt32.self)
            offset += 4
            count += 3
        }
        return count
    }

    /// Decodes what follows the groups: two or three characters that stand for one or two bytes, or nothing.
    private func decodeTail(
        _ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>, count: inout Int
    ) -> Base64Error? {
        let start = count / 3 * 4
        let value = { (offset: Int) -> UInt8 in offset < text.count ? unsafe values[Int(text[offset])] : 0 }
        for offset in start..<min(start + 4, text.count) where value(offset) == Self.foreign {
            return .foreignCharacter(offset: offset)
        }
        let (first, second, third) = (value(start), value(start + 1), value(start + 2))
        switch text.count - start {
        case 2:
            guard second & 0x0F == 0 else { return .trailingBits }
            unsafe bytes[count] = first << 2 | second >> 4
            count += 1
        case 3:
            guard third & 0x03 == 0 else { return .trailingBits }
            unsafe bytes[count] = first << 2 | second >> 4
            unsafe bytes[count + 1] = second << 4 | third >> 2
            count += 2
        default: break
        }
        return nil
    }
}
