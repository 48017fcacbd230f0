/// The pair that identifies one registration: model of authenticator and key.
///
/// FIDO UAF Protocol 1.1, 3.1.6: a KeyID alone is unique only within its AAID.
///
/// ```swift
/// guard let aaid = AAID("FFFF#2001"), let keyID = KeyID(base64URL: keyIDText) else { return nil }
/// let credential = CredentialID(aaid: aaid, keyID: keyID)
/// ```
public struct CredentialID: Hashable, Sendable {
    /// The model of authenticator.
    public let aaid: AAID
    /// The key on it.
    public let keyID: KeyID

    /// Pairs an AAID with a KeyID.
    public init(aaid: AAID, keyID: KeyID) {
        self.aaid = aaid
        self.keyID = keyID
    }
}

extension CredentialID {
    init(in fields: TLVFields) throws(TLVError) {
        let model = try fields.required(.aaid)
        guard let aaid = AAID(octets: model.value) else { throw .invalidValue(.aaid, position: model.position) }
        let key = try fields.required(.keyID)
        guard let keyID = KeyID(key.value) else { throw .invalidValue(.keyID, position: key.position) }
        self.init(aaid: aaid, keyID: keyID)
    }
}
