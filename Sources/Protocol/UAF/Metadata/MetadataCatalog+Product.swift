extension MetadataCatalog {
    /// The product's own authenticators: `F1D0#0001` to `F1D0#0005` (Android), `F1D0#1001` to `F1D0#1005` (iOS),
    /// `FFFF#2001` to `FFFF#2005` (Linux with TPM keys) and `FFFF#2101` to `FFFF#2105` (Linux with software keys).
    ///
    /// The numbers of the first ten are those of the vendor's default file, with these corrections: the impossible pairs of an RSA
    /// algorithm with an EC key format are gone, Android lists both pairs that are in the field (keys made today are
    /// P-256), both password authenticators have an entry, and every entry has an icon. A trusted execution environment
    /// without the hardware bit and a display of undeclared kind stay as they are: policies already rely on them.
    public static let product = MetadataCatalog((ProductModel.phones + ProductModel.linux).map(\.statement))
}

extension MetadataStatement {
    static let productVendor = VendorID(number: 0xF1D0)
    /// The vendor number that nobody is registered for.
    static let unregisteredVendor = VendorID(number: 0xFFFF)

    /// The algorithms that a model is known to use in the field beside the one its statement names.
    ///
    /// Android authenticators of the product changed from RSA to P-256 while their AAIDs stayed.
    static func knownAlternatives(for aaid: AAID, besides signing: SigningProfile) -> [SigningProfile] {
        guard aaid.vendor == productVendor, (0x0001...0x0005).contains(aaid.model) else { return [] }
        return [.p256, .rsa].filter { $0 != signing }
    }
}
