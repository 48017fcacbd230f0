/// One row of the table of the product's authenticators.
struct ProductModel {
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
