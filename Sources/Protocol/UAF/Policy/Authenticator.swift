/// What a policy judges an authenticator model by, beside its AAID.
///
/// FIDO UAF Protocol 1.1, 3.1.12. The client fills it from the authenticator, the server from the metadata statement.
public struct AuthenticatorCharacteristics: Hashable, Sendable {
    /// How its assertions are coded.
    public var assertionScheme: AssertionScheme = .uafV1TLV
    /// Algorithms it signs with, preferred first; one on a device, more where metadata allows alternatives.
    public var authenticationAlgorithms: [AuthenticationAlgorithm]
    /// How it can vouch for a new key, preferred first.
    public var attestationTypes: [AttestationType] = [.basicSurrogate]
    /// How it verifies the user.
    public var userVerification: UserVerification
    /// How it protects keys.
    public var keyProtection: KeyProtection
    /// How it protects the matcher.
    public var matcherProtection: MatcherProtection
    /// How it is attached.
    public var attachmentHint: AttachmentHint = .internal
    /// What display it has for transactions.
    public var transactionConfirmationDisplay: TransactionConfirmationDisplay = []
    /// Whether it can only be used beside another factor.
    public var isSecondFactorOnly = false

    /// Describes a built-in first factor authenticator without a display; change what differs.
    public init(
        authenticationAlgorithms: [AuthenticationAlgorithm], userVerification: UserVerification,
        keyProtection: KeyProtection, matcherProtection: MatcherProtection
    ) {
        self.authenticationAlgorithms = authenticationAlgorithms
        self.userVerification = userVerification
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }
}

/// An authenticator of this device, as a policy looks at it.
///
/// FIDO UAF Protocol 1.1, 3.4.6.1 and 3.5.7.1.
public struct AuthenticatorCandidate: Hashable, Sendable {
    /// Its model.
    public let aaid: AAID
    /// What it is like.
    public let characteristics: AuthenticatorCharacteristics
    /// The keys it holds for the effective AppID.
    public let keyIDs: [KeyID]
    /// Whether its user is enrolled or can be.
    public var canRegister = true
    /// What its display shows; nil without a display.
    public var displayContentType: ContentType?

    /// Describes an authenticator that can register and has no display; change what differs.
    public init(aaid: AAID, characteristics: AuthenticatorCharacteristics, keyIDs: [KeyID]) {
        self.aaid = aaid
        self.characteristics = characteristics
        self.keyIDs = keyIDs
    }
}
