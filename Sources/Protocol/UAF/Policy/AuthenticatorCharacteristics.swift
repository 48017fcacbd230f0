/// Properties of an authenticator model that a policy is matched against, beside its AAID.
///
/// FIDO UAF Protocol 1.1, 3.1.12. The client fills it from the authenticator, the server from the metadata statement.
public struct AuthenticatorCharacteristics: Hashable, Sendable {
    /// Scheme of its assertions.
    public var assertionScheme: AssertionScheme = .uafV1TLV
    /// Algorithms it signs with, preferred first; one on a device, more where metadata allows alternatives.
    public var authenticationAlgorithms: [AuthenticationAlgorithm]
    /// Supported attestation types, preferred first.
    public var attestationTypes: [AttestationType] = [.basicSurrogate]
    /// User verification methods.
    public var userVerification: UserVerification
    /// Protection of private keys.
    public var keyProtection: KeyProtection
    /// Protection of the matcher.
    public var matcherProtection: MatcherProtection
    /// Attachment to the device.
    public var attachmentHint: AttachmentHint = .internal
    /// Transaction display; empty without one.
    public var transactionConfirmationDisplay: TransactionConfirmationDisplay = []
    /// Whether it can only be used beside another factor.
    public var isSecondFactorOnly = false

    /// Creates a built-in first factor authenticator without a display; change what differs.
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

/// Authenticator of this device, as a policy is matched against it.
///
/// FIDO UAF Protocol 1.1, 3.4.6.1 and 3.5.7.1.
public struct AuthenticatorCandidate: Hashable, Sendable {
    /// Its model.
    public let aaid: AAID
    /// Characteristics that a policy is matched against.
    public let characteristics: AuthenticatorCharacteristics
    /// The keys it holds for the effective AppID.
    public let keyIDs: [KeyID]
    /// Whether its user is enrolled or can be.
    public var canRegister = true
    /// Content type that its display supports; nil without a display.
    public var displayContentType: ContentType?

    /// Creates an authenticator that can register and has no display; change what differs.
    public init(aaid: AAID, characteristics: AuthenticatorCharacteristics, keyIDs: [KeyID]) {
        self.aaid = aaid
        self.characteristics = characteristics
        self.keyIDs = keyIDs
    }
}
