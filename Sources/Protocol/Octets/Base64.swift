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
