import Octets

/// Text that is compared and hashed by its UTF-8 bytes, as FIDO UAF compares strings (no Unicode normalisation).
struct ExactString: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    init?(_ text: String, scalarCount range: ClosedRange<Int>) {
        // UTF-8 has at least one byte and at most four bytes for a scalar value: most texts need no count.
        let byteCount = text.utf8.count
        guard byteCount >= range.lowerBound else { return nil }
        if byteCount > range.upperBound || byteCount < range.lowerBound * 4 {
            guard range.contains(text.unicodeScalars.count) else { return nil }
        }
        self.text = text
    }

    static func == (left: ExactString, right: ExactString) -> Bool {
        left.text.hasSameOctets(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
