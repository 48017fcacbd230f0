/// Brings the signature encodings of FIDO Registry 1.1, 3.6.1 to bytes of fixed length.
enum SignatureDecoding {
    private static let ecdsaByteCount = 64
    private static let rsaByteCount = 256

    /// r and s of 32 bytes each, or the 256 bytes of an RSA signature.
    static func fixedLength(
        _ signature: ArraySlice<UInt8>, scheme: SignatureScheme
    ) throws(SignatureRefusal) -> ArraySlice<UInt8> {
        let byteCount = scheme.family.isRSA ? rsaByteCount : ecdsaByteCount
        let plain: ArraySlice<UInt8>
        do throws(DERError) {
            plain =
                switch (scheme.encoding, scheme.family.isRSA) {
                case (.raw, _): signature
                case (.der, true): try octetString(signature)
                case (.der, false): try twoIntegers(signature)
                }
        } catch {
            throw .malformed
        }
        guard plain.count == byteCount else { throw .malformed }
        return plain
    }

    private static func octetString(_ signature: ArraySlice<UInt8>) throws(DERError) -> ArraySlice<UInt8> {
        var reader = DERReader(signature)
        let content = try reader.read(.octetString)
        try reader.finish()
        return content
    }

    private static func twoIntegers(_ signature: ArraySlice<UInt8>) throws(DERError) -> ArraySlice<UInt8> {
        var outer = DERReader(signature)
        var inner = DERReader(try outer.read(.sequence))
        try outer.finish()
        let numbers = (try inner.readMagnitude(), try inner.readMagnitude())
        try inner.finish()
        let half = ecdsaByteCount / 2
        guard numbers.0.count <= half, numbers.1.count <= half else { throw DERError() }
        var plain = [UInt8](repeating: 0, count: ecdsaByteCount)
        plain.replaceSubrange((half - numbers.0.count)..<half, with: numbers.0)
        plain.replaceSubrange((ecdsaByteCount - numbers.1.count)..<ecdsaByteCount, with: numbers.1)
        return plain[...]
    }
}
