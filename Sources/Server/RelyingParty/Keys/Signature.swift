package import UAF

/// Signature scheme of an ALG_SIGN value of the registry: the computation and the encoding of its result.
///
/// FIDO Registry of Predefined Values 1.1, 3.6.1; all algorithms of UAF 1.1 but SM2 with SM3.
package struct SignatureScheme: Hashable, Sendable {
    /// The computation; each uses SHA-256.
    package enum Family: Hashable, Sendable {
        case ecdsaP256
        case ecdsaSecp256k1
        case rsaPSS
        case rsaPKCS1

        var isRSA: Bool { self == .rsaPSS || self == .rsaPKCS1 }
    }

    /// Byte form of a signature.
    package enum Encoding: Hashable, Sendable {
        /// The numbers side by side in fixed length.
        case raw
        /// ASN.1: a sequence of two integers for ECDSA, an octet string for RSA.
        case der
    }

    package let family: Family
    package let encoding: Encoding

    /// Looks up an algorithm; throws `unsupportedAlgorithm` for SM2 and for unknown numbers.
    package init(_ algorithm: AuthenticationAlgorithm) throws(VerificationKeyError) {
        switch algorithm {
        case .secp256r1ECDSASHA256Raw: (family, encoding) = (.ecdsaP256, .raw)
        case .secp256r1ECDSASHA256DER: (family, encoding) = (.ecdsaP256, .der)
        case .rsassaPSSSHA256Raw: (family, encoding) = (.rsaPSS, .raw)
        case .rsassaPSSSHA256DER: (family, encoding) = (.rsaPSS, .der)
        case .secp256k1ECDSASHA256Raw: (family, encoding) = (.ecdsaSecp256k1, .raw)
        case .secp256k1ECDSASHA256DER: (family, encoding) = (.ecdsaSecp256k1, .der)
        case .rsaPKCS1SHA256Raw: (family, encoding) = (.rsaPKCS1, .raw)
        case .rsaPKCS1SHA256DER: (family, encoding) = (.rsaPKCS1, .der)
        default: throw .unsupportedAlgorithm
        }
    }
}

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

/// Reason to refuse a signature.
@nonexhaustive
package enum SignatureRefusal: Error, Hashable, Sendable {
    /// The bytes do not have the encoding of the algorithm (length, or distinguished encoding).
    case malformed
    /// The signature was not made by this key over these bytes.
    case wrong
}
