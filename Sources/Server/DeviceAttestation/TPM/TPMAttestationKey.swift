import Crypto

/// Key of a chip that signs only what the chip itself states.
///
/// The value proves the key's kind, as the phone describes it. That a chip holds it, and which, proves a
/// ``CredentialChallenge``: the name of the key goes into it.
package struct TPMAttestationKey: Hashable, Sendable {
    private typealias Attributes = TPMPublicArea.Attributes

    /// Public area (TPMT_PUBLIC) as received.
    package let publicArea: [UInt8]
    /// Name of the key: what a credential is made for.
    package let name: [UInt8]
    /// The point, uncompressed (65 bytes, X9.63).
    package let point: [UInt8]

    /// Reads a public area (TPMT_PUBLIC).
    ///
    /// Throws ``TPMRefusal``: `malformed`, `attestationKeyKind`, or `attestationKeyAttributes`.
    package init(publicArea: [UInt8]) throws(TPMRefusal) {
        let area = try TPMPublicArea(publicArea, otherwise: .attestationKeyKind)
        guard area.isForECDSA, (try? P256.Signing.PublicKey(x963Representation: area.point)) != nil else {
            throw .attestationKeyKind
        }
        let needed: Attributes = [.fixedTPM, .fixedParent, .sensitiveDataOrigin, .restricted, .sign]
        guard area.attributes.isSuperset(of: needed), area.attributes.isDisjoint(with: [.decrypt, .certificates])
        else { throw .attestationKeyAttributes }
        self.publicArea = publicArea
        name = area.name
        point = area.point
    }

    /// Requires the signature of the key (TPMT_SIGNATURE) over bytes.
    func require(_ signature: [UInt8], over bytes: [UInt8]) throws(TPMRefusal) {
        let signature = try TPMSignature(signature)
        guard let key = try? P256.Signing.PublicKey(x963Representation: point), signature.verifies(bytes, with: key)
        else { throw .wrongSignature }
    }
}
