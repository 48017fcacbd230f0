/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
    /// How much a reader forgives.
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
