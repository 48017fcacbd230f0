package import Crypto
import UAF

extension SyntheticTPMStatement {
    /// A sound statement about the new key of an authenticator, by an attestation key.
    ///
    /// `registration` is the signed part of the registration (TAG_UAFV1_KRD). Throws for keys that are not on P-256.
    package init(
        about authenticator: SyntheticAuthenticator, registration: [UInt8], by attestationKey: P256.Signing.PrivateKey
    ) throws {
        guard case .p256(let key) = authenticator.key else { throw SyntheticKey.Failure.foreignAlgorithm }
        self.init(about: key.publicKey, qualification: KeyAttestationEvidence.qualification(of: registration))
        self.attestationKey = attestationKey
    }
}

extension SyntheticTLV {
    /// The extension with evidence of a chip, which may be ignored.
    package static func keyAttestation(_ octets: [UInt8]) -> SyntheticTLV {
        SyntheticTLV(
            0x3E12,
            elements: [
                SyntheticTLV(0x2E13, Array("signet.uaf.key_attestation".utf8)), SyntheticTLV(0x2E14, octets),
            ])
    }
}

extension SyntheticFault {
    /// No fault, but sound evidence of a chip beside the signed part of a registration.
    ///
    /// Without a key on P-256 there is none.
    package static func evidence(
        of authenticator: SyntheticAuthenticator, proof: [UInt8], by attestationKey: P256.Signing.PrivateKey
    ) -> SyntheticFault {
        SyntheticFault(assertion: { assertion in
            guard let registration = assertion.elements.first?.encoded,
                let statement = try? SyntheticTPMStatement(
                    about: authenticator, registration: registration, by: attestationKey
                ).octets()
            else { return }
            assertion.append(.keyAttestation(KeyAttestationEvidence(proof: proof, statement: statement).octets))
        })
    }
}
