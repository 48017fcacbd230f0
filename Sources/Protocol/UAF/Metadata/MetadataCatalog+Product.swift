extension MetadataCatalog {
    /// The product's own authenticators: `F1D0#0001` to `F1D0#0005` (Android) and `F1D0#1001` to `F1D0#1005` (iOS).
    ///
    /// The numbers are those of the vendor's default file, with these corrections: the impossible pairs of an RSA
    /// algorithm with an EC key format are gone, Android lists both pairs that are in the field (keys made today are
    /// P-256), both password authenticators have an entry, and every entry has an icon. A trusted execution environment
    /// without the hardware bit and a display of undeclared kind stay as they are: policies already rely on them.
    public static let product = MetadataCatalog(ProductModel.all.map(\.statement))
}

/// One row of the table of the product's authenticators.
private struct ProductModel {
    private static let android: UInt16 = 0x0000
    private static let ios: UInt16 = 0x1000

    let model: UInt16
    let description: String
    let userVerification: UserVerification
    let keyProtection: KeyProtection
    let matcherProtection: MatcherProtection

    static let all: [ProductModel] = [
        ProductModel(android | 1, "Android PIN", .passcode, .software, .software),
        ProductModel(android | 2, "Android fingerprint", .fingerprint, .trustedExecution, .trustedExecution),
        ProductModel(
            android | 3, "Android biometric", [.fingerprint, .voiceprint, .faceprint, .eyeprint, .handprint],
            .trustedExecution, .trustedExecution),
        ProductModel(
            android | 4, "Android device passcode", [.passcode, .pattern], .trustedExecution, .trustedExecution),
        ProductModel(android | 5, "Android password", .passcode, .software, .software),
        ProductModel(ios | 1, "iOS PIN", .passcode, .software, .software),
        ProductModel(ios | 2, "iOS Touch ID", .fingerprint, [.hardware, .trustedExecution], .trustedExecution),
        ProductModel(ios | 3, "iOS Face ID", .faceprint, [.hardware, .trustedExecution], .trustedExecution),
        ProductModel(ios | 4, "iOS device passcode", .passcode, [.hardware, .trustedExecution], .trustedExecution),
        ProductModel(ios | 5, "iOS password", .passcode, .software, .software),
    ]

    init(
        _ model: UInt16, _ description: String, _ userVerification: UserVerification, _ keyProtection: KeyProtection,
        _ matcherProtection: MatcherProtection
    ) {
        self.model = model
        self.description = description
        self.userVerification = userVerification
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }

    var statement: MetadataStatement {
        let aaid = AAID(vendor: MetadataStatement.productVendor, model: model)
        var statement = MetadataStatement(
            aaid: aaid, description: description, signing: .p256,
            userVerificationDetails: [[VerificationMethod(userVerification)]], keyProtection: keyProtection,
            matcherProtection: matcherProtection)
        statement.additionalSigningProfiles = MetadataStatement.knownAlternatives(for: aaid, besides: .p256)
        if model & Self.ios == 0 { statement.attestationTypes = [.basicSurrogate, .basicFull] }
        statement.display = TransactionDisplay(kind: .any, contentType: .plainText)
        statement.icon = ProductIcon.url
        return statement
    }
}

extension MetadataStatement {
    static let productVendor = VendorID(number: 0xF1D0)

    /// The algorithms that a model is known to use in the field beside the one its statement names.
    ///
    /// Android authenticators of the product changed from RSA to P-256 while their AAIDs stayed.
    static func knownAlternatives(for aaid: AAID, besides signing: SigningProfile) -> [SigningProfile] {
        guard aaid.vendor == productVendor, (0x0001...0x0005).contains(aaid.model) else { return [] }
        return [.p256, .rsa].filter { $0 != signing }
    }
}

extension SigningProfile {
    /// P-256 with DER signatures and SubjectPublicKeyInfo keys.
    public static let p256 = SigningProfile(algorithm: .secp256r1ECDSASHA256DER, publicKeyFormat: .eccX962DER)
    /// RSA 2048 with PKCS#1 v1.5 signatures in an octet string and PKCS#1 keys.
    public static let rsa = SigningProfile(algorithm: .rsaPKCS1SHA256DER, publicKeyFormat: .rsa2048DER)
}
