/// The bytes of a string up to the next quote, backslash or control character.
///
/// Nearly all of a message is inside strings, so this decides how long reading takes: eight bytes are looked at at
/// once.
struct PlainRun {
    /// Offset of the byte that ends the run, or the end of the text.
    let end: Int
    /// Whether every byte of the run is below 0x80, so that it needs no look as UTF-8.
    let isASCII: Bool

    /// Finds the end of the run that begins at `start`, which is not beyond the end of `text`.
    init(in text: UnsafeBufferPointer<UInt8>, from start: Int) {
        let octets = UnsafeRawBufferPointer(text)
        var end = start
        var union: UInt64 = 0
        while text.count - end >= 8 {
            let group = UInt64(littleEndian: octets.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            guard Self.doubts(about: group) & Self.highBits != 0 else {
                end += 8
                continue
            }
            let marks = Self.marks(of: group)
            guard marks == 0 else {
                let bitCount = UInt64(marks.trailingZeroBitCount & ~7)
                self.init(end: end + Int(bitCount / 8), union: union | group & ~(.max << bitCount))
                return
            }
            union |= group
            end += 8
        }
        while end < text.count, Self.isPlain(text[end]) {
            union |= UInt64(text[end])
            end += 1
        }
        self.init(end: end, union: union)
    }

    private init(end: Int, union: UInt64) {
        self.end = end
        isASCII = union & Self.highBits == 0
    }

    /// No high bit is set when each of eight bytes is below 0x80 and ends no run: fewer steps than ``marks(of:)``, which
    /// says where the end is.
    private static func doubts(about group: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = group ^ 0x2222_2222_2222_2222
        let backslash = group ^ 0x5C5C_5C5C_5C5C_5C5C
        return group | (group &- 0x2020_2020_2020_2020) | (quote &- ones) | (backslash &- ones)
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The high bit of each of eight bytes that ends a run; the lowest bit that is set is exact.
    ///
    /// `(x - n) & ~x` has the high bit of a byte set when the byte is below n, and perhaps of bytes above it
    /// through the borrow, but never of bytes below it.
    private static func marks(of group: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = group ^ 0x2222_2222_2222_2222
        let backslash = group ^ 0x5C5C_5C5C_5C5C_5C5C
        let control = (group &- 0x2020_2020_2020_2020) & ~group
        return (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highBits
    }
}
