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
