/// What an authenticator must be like; a member that is nil does not matter.
///
/// FIDO UAF Protocol 1.1, 3.1.12. With ``aaids`` only ``keyIDs``, ``attachmentHint``, ``authenticatorVersion`` and
/// ``extensions`` may be given; without it both ``authenticationAlgorithms`` and ``assertionSchemes`` must be. An array
/// that is given is not empty.
public struct MatchCriteria: Hashable, Sendable {
    /// The AAID is one of these.
    public var aaids: [AAID]?
    /// The vendor is one of these.
    public var vendorIDs: [VendorID]?
    /// One of these keys is registered with the authenticator for the application.
    public var keyIDs: [KeyID]?
    /// The verification methods fit (``UserVerification/accepts(_:)``).
    public var userVerification: UserVerification?
    /// The key protection has a bit in common.
    public var keyProtection: KeyProtection?
    /// The matcher protection has a bit in common.
    public var matcherProtection: MatcherProtection?
    /// The attachment has a bit in common.
    public var attachmentHint: AttachmentHint?
    /// The display has a bit in common.
    public var transactionConfirmationDisplay: TransactionConfirmationDisplay?
    /// The algorithm is one of these.
    public var authenticationAlgorithms: [AuthenticationAlgorithm]?
    /// The scheme is one of these.
    public var assertionSchemes: [AssertionScheme]?
    /// One attestation type in common; the order is the server's preference.
    public var attestationTypes: [AttestationType]?
    /// The version in the assertion is at least this; deprecated, judged by the server only.
    public var authenticatorVersion: UInt16?
    /// Extensions of the criteria.
    public var extensions: [MessageExtension] = []

    /// Names models, and keys on them when given.
    public init(aaids: [AAID], keyIDs: [KeyID]? = nil) {
        self.aaids = aaids
        self.keyIDs = keyIDs
    }

    /// Describes authenticators without naming models.
    public init(authenticationAlgorithms: [AuthenticationAlgorithm], assertionSchemes: [AssertionScheme]) {
        self.authenticationAlgorithms = authenticationAlgorithms
        self.assertionSchemes = assertionSchemes
    }

    package init() {}
}
