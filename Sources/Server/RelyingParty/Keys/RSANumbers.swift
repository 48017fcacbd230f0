/// Modulus and exponent of an RSA key in the encodings of FIDO Registry 1.1, 3.6.2.
struct RSANumbers {
    /// Exactly 2048 bits, most significant byte first.
    let modulus: ArraySlice<UInt8>
    /// Odd and at least 65537, without leading zero bytes.
    let exponent: ArraySlice<UInt8>

    private static let modulusByteCount = 256
    /// What BoringSSL takes; no key in the field comes near it.
    private static let exponentByteCounts = 3...4
    /// The content of SEQUENCE { OBJECT IDENTIFIER rsaEncryption, NULL }.
    private static let algorithmIdentifier: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    /// ALG_KEY_RSA_2048_RAW: 256 bytes of modulus, then the exponent.
    init(raw bytes: ArraySlice<UInt8>) throws(VerificationKeyError) {
        guard bytes.count > Self.modulusByteCount else { throw .malformed }
        try self.init(
            modulus: bytes.prefix(Self.modulusByteCount), exponent: bytes.dropFirst(Self.modulusByteCount))
    }

    /// ALG_KEY_RSA_2048_DER: RSAPublicKey of PKCS #1.
    init(pkcs1 bytes: ArraySlice<UInt8>) throws(VerificationKeyError) {
        let numbers: (ArraySlice<UInt8>, ArraySlice<UInt8>)
        do throws(DERError) {
            var outer = DERReader(bytes)
            var inner = DERReader(try outer.read(.sequence))
            try outer.finish()
            numbers = (try inner.readMagnitude(), try inner.readMagnitude())
            try inner.finish()
        } catch {
            throw .malformed
        }
        try self.init(modulus: numbers.0, exponent: numbers.1)
    }

    /// A SubjectPublicKeyInfo, which some clients send under ALG_KEY_RSA_2048_DER.
    init(subjectPublicKeyInfo bytes: ArraySlice<UInt8>) throws(VerificationKeyError) {
        let key: ArraySlice<UInt8>
        do throws(DERError) {
            var outer = DERReader(bytes)
            var inner = DERReader(try outer.read(.sequence))
            try outer.finish()
            guard try inner.read(.sequence).elementsEqual(Self.algorithmIdentifier) else { throw DERError() }
            let bits = try inner.read(.bitString)
            try inner.finish()
            // The first byte counts the unused bits of the last one.
            guard bits.first == 0 else { throw DERError() }
            key = bits.dropFirst()
        } catch {
            throw .malformed
        }
        try self.init(pkcs1: key)
    }

    private init(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) throws(VerificationKeyError) {
        guard modulus.count == Self.modulusByteCount, let high = modulus.first, high >= 0x80,
            let low = modulus.last, !low.isMultiple(of: 2)
        else { throw .unacceptableModulus }
        // Three bytes without a leading zero, odd, are at least 65537.
        guard Self.exponentByteCounts.contains(exponent.count), let first = exponent.first, first != 0,
            let last = exponent.last, !last.isMultiple(of: 2)
        else { throw .unacceptableExponent }
        self.modulus = modulus
        self.exponent = exponent
    }
}
