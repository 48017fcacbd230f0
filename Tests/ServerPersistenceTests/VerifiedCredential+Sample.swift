import TestSupport
import UAF

@testable import RelyingParty
@testable import ServerCore

extension VerifiedCredential {
    private static let key = try? SyntheticKey(for: .secp256r1ECDSASHA256DER).publicKey(.eccX962DER)

    /// A credential of a key that counts as proved, without an assertion.
    static func sample(
        _ id: CredentialID, _ counters: Counters, of user: UserID, at time: Timestamp, as registration: RegistrationID,
        on target: DispatchTargetID? = nil
    ) throws -> VerifiedCredential {
        try VerifiedCredential(verified(id, counters, .chip), of: user, at: time, as: registration, on: target)
    }

    /// A key that counts as proved, with what is known of its protection.
    static func verified(
        _ id: CredentialID, _ counters: Counters, _ protection: KeyAttestationFinding
    ) throws -> VerifiedRegistration.Credential {
        guard let key else { throw SyntheticKey.Failure.noKey }
        let data = try KeyRegistrationData(
            credential: id,
            info: AssertionInfo(
                authenticatorVersion: 3, mode: .userVerified, signatureAlgorithm: .secp256r1ECDSASHA256DER),
            finalChallengeHash: [1], counters: counters,
            publicKey: EncodedPublicKey(format: .eccX962DER, octets: key))
        return VerifiedRegistration.Credential(
            data: data,
            key: try VerificationKey(
                key, format: .eccX962DER, algorithm: .secp256r1ECDSASHA256DER),
            attestation: .basicSurrogate, certificates: [], displayCharacteristics: [], isIncreasedRisk: false,
            assertion: 0,
            protection: protection)
    }
}
