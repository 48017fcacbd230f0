package import UAF

/// What an ALG_SIGN value of the registry means: the computation and the encoding of its result.
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

    /// How the signature is written down.
    package enum Encoding: Hashable, Sendable {
        /// The numbers side by side in fixed length.
        case raw
        /// ASN.1: a sequence of two integers for ECDSA, an octet string for RSA.
        case der
    }

    /// The computation.
    package let family: Family
    /// How its result is written down.
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
