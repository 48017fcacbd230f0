package import StrictJSON

/// An algorithm with the format of the keys it is used with.
public struct SigningProfile: Hashable, Sendable {
    /// Signature algorithm and encoding.
    public let algorithm: AuthenticationAlgorithm
    /// Encoding of public keys.
    public let publicKeyFormat: PublicKeyFormat

    /// Pairs an algorithm with a key format.
    public init(algorithm: AuthenticationAlgorithm, publicKeyFormat: PublicKeyFormat) {
        self.algorithm = algorithm
        self.publicKeyFormat = publicKeyFormat
    }
}

extension SigningProfile {
    /// P-256 with DER signatures and SubjectPublicKeyInfo keys.
    public static let p256 = SigningProfile(algorithm: .secp256r1ECDSASHA256DER, publicKeyFormat: .eccX962DER)
    /// RSA 2048 with PKCS#1 v1.5 signatures in an octet string and PKCS#1 keys.
    public static let rsa = SigningProfile(algorithm: .rsaPKCS1SHA256DER, publicKeyFormat: .rsa2048DER)
}

extension SigningProfile: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            algorithm: try members.required("authenticationAlgorithm", rules: rules),
            publicKeyFormat: try members.required("publicKeyAlgAndEncoding", rules: rules))
    }

    package var json: JSONValue {
        .object(["authenticationAlgorithm": algorithm.json, "publicKeyAlgAndEncoding": publicKeyFormat.json])
    }
}
