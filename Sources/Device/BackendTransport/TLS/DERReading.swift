/// The elements of a DER encoding, one after the other (X.690, definite lengths and tags of one byte only).
struct DERReading: Sendable {
    /// What is not the DER that was expected.
    struct Malformed: Error, Hashable {}

    /// One element.
    struct Element: Sendable {
        let tag: UInt8
        /// Tag, length and content.
        let whole: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>

        /// The elements of which the content consists.
        var parts: DERReading { DERReading(content) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ octets: ArraySlice<UInt8>) {
        rest = octets
    }

    /// Whether every element was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next element if it has that tag; nil, and nothing read, otherwise.
    mutating func optional(_ tag: UInt8) throws(Malformed) -> Element? {
        guard rest.first == tag else { return nil }
        return try next()
    }

    /// The next element, which has to have that tag.
    mutating func required(_ tag: UInt8) throws(Malformed) -> Element {
        guard let element = try optional(tag) else { throw Malformed() }
        return element
    }

    /// The next element.
    mutating func next() throws(Malformed) -> Element {
        let whole = rest
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F else { throw Malformed() }
        let count = try length()
        guard count <= rest.count else { throw Malformed() }
        let content = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Element(tag: tag, whole: whole.prefix(content.endIndex - whole.startIndex), content: content)
    }

    /// At most three bytes of length: certificates end at 16 MiB, and nothing can overflow.
    private mutating func length() throws(Malformed) -> Int {
        guard let first = rest.popFirst() else { throw Malformed() }
        guard first >= 0x80 else { return Int(first) }
        let byteCount = Int(first & 0x7F)
        guard (1...3).contains(byteCount), rest.count >= byteCount, rest.first != 0 else { throw Malformed() }
        let length = rest.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(byteCount)
        guard length >= 0x80 else { throw Malformed() }
        return length
    }
}
