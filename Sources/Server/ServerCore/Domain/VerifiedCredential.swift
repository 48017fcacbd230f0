package import RelyingParty
import UAF

/// New credential with the proof that its key belongs to the user.
///
/// Only a ``RelyingParty/VerifiedRegistration`` and an ``ImportedCredential`` make one, and the storage takes nothing else for a
/// credential: what neither an assertion has proved nor an operator brought along cannot be stored by mistake.
package struct VerifiedCredential: Sendable, Hashable {
    package let credential: RegisteredCredential

    init(_ imported: RegisteredCredential) { credential = imported }

    package init(
        _ verified: VerifiedRegistration.Credential, of user: UserID, at time: Timestamp,
        as registrationID: RegistrationID, on targetID: DispatchTargetID? = nil
    ) {
        credential = RegisteredCredential(
            registrationID: registrationID, userID: user, id: verified.id, algorithm: verified.key.algorithm,
            publicKey: EncodedPublicKey(format: verified.key.format, octets: verified.key.octets),
            counters: verified.data.counters, authenticatorVersion: verified.data.info.authenticatorVersion,
            status: .active, registeredAt: time, lastSuccessAt: nil, targetID: targetID,
            protection: RegisteredCredential.Protection(verified.protection))
    }

    /// Names the credential for the status service.
    package var proved: ProvedCredential {
        ProvedCredential(id: credential.id, registrationID: credential.registrationID)
    }
}

extension RegisteredCredential.Protection {
    fileprivate init(_ finding: KeyAttestationFinding) {
        self =
            switch finding {
            case .unproved: .unproved
            case .chip: .chip
            case .chipWithPIN: .chipWithPIN
            }
    }
}
