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

    static let phones: [ProductModel] = [
        phone(android | 1, "PIN", .passcode, .software, .software),
        phone(android | 2, "Fingerprint", .fingerprint, .trustedExecution, .trustedExecution),
        phone(
            android | 3, "Biometric", [.fingerprint, .voiceprint, .faceprint, .eyeprint, .handprint],
            .trustedExecution, .trustedExecution),
        phone(android | 4, "Device Passcode", [.passcode, .pattern], .trustedExecution, .trustedExecution),
        phone(android | 5, "Password", .passcode, .software, .software),
        phone(ios | 1, "PIN", .passcode, .software, .software),
        phone(ios | 2, "Fingerprint", .fingerprint, [.hardware, .trustedExecution], .trustedExecution),
        phone(ios | 3, "Face Recognition", .faceprint, [.hardware, .trustedExecution], .trustedExecution),
        phone(ios | 4, "Device Passcode", .passcode, [.hardware, .trustedExecution], .trustedExecution),
        phone(ios | 5, "Password", .passcode, .software, .software),
    ]

    private static func phone(
        _ model: UInt16, _ name: String, _ userVerification: UserVerification, _ keyProtection: KeyProtection,
        _ matcherProtection: MatcherProtection
    ) -> ProductModel {
        let platform = model & ios == 0 ? "Android" : "iOS"
        return ProductModel(
            model, "\(platform) NEVIS Mobile Authentication \(name) Authenticator", userVerification, keyProtection,
            matcherProtection)
    }

    /// Models of Linux devices, with keys in a trusted platform module and with keys in files.
    ///
    /// The matcher is software there: the daemon of the sensor, PAM, or the derivation of a secret. A fingerprint may
    /// be replaced by the passcode where the registration allowed it, so both are stated.
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
        statement.display = TransactionDisplay(kind: .any, contentType: .plainText)
        statement.icon = ProductIcon.url
        return statement
    }

    /// The vendor's table has several methods in one entry; ours are alternatives of one each, as the specification
    /// wants.
    private var methods: [[VerificationMethod]] {
        guard vendor != MetadataStatement.productVendor else { return [[VerificationMethod(userVerification)]] }
        return [.fingerprint, .faceprint, .passcode].filter(userVerification.contains).map {
            [VerificationMethod($0)]
        }
    }
}

/// The icon in the product's own metadata: a key, 16 by 16 pixels.
enum ProductIcon {
    /// `data:` URL of the PNG.
    static let url =
        "data:image/png;base64,"
        + "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEX///8fTYzjYclwAAAAIElEQVR42mNgAAN+Bg"
        + "aBBgYFBwa1ehBS8GIQ6AIJYgAAY5wDXVQztCMAAAAASUVORK5CYII="
}

extension MetadataCatalog {
    /// The product's own authenticators: `F1D0#0001` to `F1D0#0005` (Android), `F1D0#1001` to `F1D0#1005` (iOS),
    /// `FFFF#2001` to `FFFF#2005` (Linux with TPM keys) and `FFFF#2101` to `FFFF#2105` (Linux with software keys).
    ///
    /// Of the first ten, the eight that the vendor has published are as published, with two corrections: Android has
    /// the algorithm and the key format of the keys that it makes today (P-256), since no key has the published pair of an
    /// RSA algorithm and an EC key format. RSA keys of the field are accepted beside them. Each statement has an icon.
    public static let product = MetadataCatalog((ProductModel.phones + ProductModel.linux).map(\.statement))
}

extension MetadataStatement {
    static let productVendor = VendorID(number: 0xF1D0)
    static let unregisteredVendor = VendorID(number: 0xFFFF)

    /// Platform of the product's model with an AAID: `android`, `ios` or `linux`; nil for models of other makers.
    package static func platform(of aaid: AAID) -> String? {
        switch (aaid.vendor, aaid.model & 0xF000) {
        case (productVendor, 0x0000): "android"
        case (productVendor, 0x1000): "ios"
        case (unregisteredVendor, 0x2000): "linux"
        default: nil
        }
    }

    /// The algorithms that a model is known to use in the field beside the one its statement names.
    ///
    /// Android authenticators of the product changed from RSA to P-256 while their AAIDs stayed.
    static func knownAlternatives(for aaid: AAID, besides signing: SigningProfile) -> [SigningProfile] {
        guard aaid.vendor == productVendor, (0x0001...0x0005).contains(aaid.model) else { return [] }
        return [.p256, .rsa].filter { $0 != signing }
    }
}
