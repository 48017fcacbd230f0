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
