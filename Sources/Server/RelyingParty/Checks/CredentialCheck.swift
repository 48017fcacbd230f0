import UAF

/// Checks 13 and 14 of authentication: the key is registered, for the user who was asked, with this model.
enum CredentialCheck {
    /// The stored credential; credentials that are newer than the request are as good as absent.
    static func credential(
        of claimed: CredentialID, for offer: AuthenticationOffer, among registered: [StoredCredential]
    ) throws(RefusalReason) -> StoredCredential {
        let sameKeyID = registered.indices.filter {
            registered[$0].id.keyID == claimed.keyID && registered[$0].registeredAt <= offer.issuedAt
        }
        guard !sameKeyID.isEmpty else { throw .unknownKey }
        let own = sameKeyID.filter { offer.account == nil || registered[$0].account == offer.account }
        guard !own.isEmpty else { throw .foreignKey }
        guard let position = own.first(where: { registered[$0].id.aaid == claimed.aaid }) else { throw .otherModelsKey }
        let credential = registered[position]
        guard credential.status == .active else { throw .disabledCredential }
        return credential
    }
}
