/// What the maker of an authenticator states about a model.
///
/// FIDO Metadata Statements 1.1, 4. Only the members of other protocols are left out.
public struct MetadataStatement: Hashable, Sendable {
    /// The model.
    public var aaid: AAID
    /// What it is, for people.
    public var description: String
    /// Lowest trustworthy version of the authenticator.
    public var authenticatorVersion: UInt16 = 1
    /// Protocol family; nil means `uaf`.
    public var protocolFamily: String?
    /// Protocol versions.
    public var supportedVersions: [ProtocolVersion] = [.version11]
    /// How its assertions are coded.
    public var assertionScheme: AssertionScheme = .uafV1TLV
    /// The algorithm it signs with, and the format of its keys (informative: the assertion says what it really is).
    public var signing: SigningProfile
    /// Further algorithms and formats that are accepted; not part of a FIDO statement.
    ///
    /// Models that changed their algorithm in a later release still have one AAID.
    public var additionalSigningProfiles: [SigningProfile] = []
    /// How it vouches for new keys.
    public var attestationTypes: [AttestationType] = [.basicSurrogate]
    /// How it verifies users: outer alternatives, inner methods needed together.
    public var userVerificationDetails: [[VerificationMethod]]
    /// How it protects keys.
    public var keyProtection: KeyProtection
    /// How it protects the matcher.
    public var matcherProtection: MatcherProtection
    /// Whether its keys sign nothing but assertions.
    public var isKeyRestricted = true
    /// Whether every signature needs a fresh verification of the user.
    public var isFreshUserVerificationRequired = true
    /// All ways it can be attached.
    public var attachmentHint: AttachmentHint = .internal
    /// Whether it can only be used beside another factor.
    public var isSecondFactorOnly = false
    /// What its display is and how it wants content.
    public var display = TransactionDisplay()
    /// Certificates (DER) that a full attestation must lead to; empty exactly when only surrogate is supported.
    public var attestationRootCertificates: [[UInt8]] = []
    /// Trust anchors of ECDAA attestation.
    public var ecdaaTrustAnchors: [ECDAATrustAnchor] = []
    /// `data:` URL of a PNG picture.
    public var icon: String?
    /// Extensions it supports.
    public var supportedExtensions: [SupportedExtension] = []

    /// States what must be stated; everything else has the usual value and can be changed.
    public init(
        aaid: AAID, description: String, signing: SigningProfile, userVerificationDetails: [[VerificationMethod]],
        keyProtection: KeyProtection, matcherProtection: MatcherProtection
    ) {
        self.aaid = aaid
        self.description = description
        self.signing = signing
        self.userVerificationDetails = userVerificationDetails
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }
}
