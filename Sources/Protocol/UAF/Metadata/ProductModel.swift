/// One row of the table of the product's authenticators.
struct ProductModel {
    private static let android: UInt16 = 0x0000
    private static let ios: UInt16 = 0x1000
    private static let linuxTPM: UInt16 = 0x2000
    private static let linuxSoftware: UInt16 = 0x2100

    let vendor: VendorID
    let model: UInt16
    let description: String
    let userVerification: UserVerification
    let keyProtection: KeyProtection
    let matcherProtection: MatcherProtection

    /// What phones have: the numbers of the vendor's table.
    static let phones: [ProductModel] = [
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

    /// What Linux has, with keys in a trusted platform module and with keys in files.
    ///
    /// Whatever compares the user's secret or finger is software there: the daemon of the sensor, PAM, or the derivation
    /// of a secret. A fingerprint may be replaced by the passcode where the registration allowed it, so both are stated.
    static let linux =
        linux(linuxTPM, "with TPM keys", .hardware) + linux(linuxSoftware, "with software keys", .software)

    private static func linux(_ family: UInt16, _ keys: String, _ keyProtection: KeyProtection) -> [ProductModel] {
        let kinds: [(UInt16, String, UserVerification)] = [
            (1, "PIN", .passcode), (2, "fingerprint", [.fingerprint, .passcode]),
            (3, "face", [.faceprint, .passcode]), (4, "account password", .passcode), (5, "password", .passcode),
        ]
        return kinds.map { number, name, verification in
            ProductModel(
                family | number, "Linux \(name) \(keys)", verification, keyProtection, .software,
                vendor: MetadataStatement.unregisteredVendor)
        }
    }

    init(
        _ model: UInt16, _ description: String, _ userVerification: UserVerification, _ keyProtection: KeyProtection,
        _ matcherProtection: MatcherProtection, vendor: VendorID = MetadataStatement.productVendor
    ) {
        self.vendor = vendor
        self.model = model
        self.description = description
        self.userVerification = userVerification
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }

    var statement: MetadataStatement {
        let aaid = AAID(vendor: vendor, model: model)
        var statement = MetadataStatement(
            aaid: aaid, description: description, signing: .p256,
            userVerificationDetails: methods, keyProtection: keyProtection,
            matcherProtection: matcherProtection)
        statement.additionalSigningProfiles = MetadataStatement.knownAlternatives(for: aaid, besides: .p256)
        if isAndroid { statement.attestationTypes = [.basicSurrogate, .basicFull] }
        statement.display = TransactionDisplay(kind: .any, contentType: .plainText)
        statement.icon = ProductIcon.url
        return statement
    }

    private var isAndroid: Bool { vendor == MetadataStatement.productVendor && model & Self.ios == 0 }

    /// The vendor's table has several methods in one entry; ours are alternatives of one each, as the specification wants.
    private var methods: [[VerificationMethod]] {
        guard vendor != MetadataStatement.productVendor else { return [[VerificationMethod(userVerification)]] }
        return [.fingerprint, .faceprint, .passcode].filter(userVerification.contains).map {
            [VerificationMethod($0)]
        }
    }
}
