package import DeviceAttestation
import UAF

/// Check of the evidence that a chip holds a new key, an addition of this project (`docs/security/attestation.md`).
enum KeyAttestationCheck {
    /// Wrong PINs in a row at most that a chip may take for the PIN to count as guarded by it.
    static let attemptLimit: UInt32 = 10

    /// The protection of a key that the assertion about it proves.
    static func finding(
        in assertion: RegistrationAssertion, about key: VerificationKey, rule: KeyAttestationRule,
        reader: (any KeyAttestationReader)?
    ) throws(RefusalReason) -> KeyAttestationFinding {
        guard rule != .ignored else { return .unproved }
        do throws(KeyAttestationRefusal) {
            guard let evidence = try evidence(in: assertion) else {
                guard rule != .required else { throw .missing }
                return .unproved
            }
            guard let attestationKey = reader?.attestationKey(in: evidence.proof) else { throw .unprovedKey }
            return try finding(
                evidence, by: attestationKey,
                TPMKeyProof.Requirement(
                    publicKey: try point(of: key),
                    qualification: KeyAttestationEvidence.qualification(of: assertion.keyRegistrationData.octets),
                    isPinRequired: false, attemptLimit: attemptLimit))
        } catch {
            throw .keyAttestation(error)
        }
    }

    /// The one piece of evidence beside the signed part; nil when there is none.
    private static func evidence(
        in assertion: RegistrationAssertion
    ) throws(KeyAttestationRefusal) -> KeyAttestationEvidence? {
        let found = assertion.unsignedExtensions.filter { $0.id == .keyAttestation }
        guard let first = found.first else { return nil }
        guard found.count == 1 else { throw .ambiguous }
        guard let evidence = KeyAttestationEvidence(octets: first.data) else { throw .malformed }
        return evidence
    }

    private static func finding(
        _ evidence: KeyAttestationEvidence, by attestationKey: TPMAttestationKey, _ requirement: TPMKeyProof.Requirement
    ) throws(KeyAttestationRefusal) -> KeyAttestationFinding {
        do throws(TPMRefusal) {
            let statement = try TPMKeyStatement(octets: evidence.statement)
            let proof = try TPMKeyProof(statement, signedBy: attestationKey, meeting: requirement)
            return proof.indexName == nil ? .chip : .chipWithPIN
        } catch {
            throw .chip(error)
        }
    }

    /// The point of a key on P-256, uncompressed (X9.63): chips make no others here.
    private static func point(of key: VerificationKey) throws(KeyAttestationRefusal) -> [UInt8] {
        let point: ArraySlice<UInt8>? =
            switch key.format {
            case .eccX962Raw: try? EllipticCurvePoint.raw(key.octets[...])
            case .eccX962DER: try? EllipticCurvePoint.subjectPublicKey(key.octets[...], family: .ecdsaP256)
            default: nil
            }
        guard let point else { throw .chip(.keyKind) }
        return Array(point)
    }
}

/// Rule of a policy for the evidence that a chip holds a new key.
package enum KeyAttestationRule: Hashable, Sendable {
    /// Nothing: evidence is not looked at.
    case ignored
    /// Evidence that comes has to hold; a key without it passes.
    case verifiedWhenStated
    /// Each key needs evidence that holds.
    case required
}

/// Reader of the proofs that this server has given to phones about their attestation keys.
package protocol KeyAttestationReader: Sendable {
    /// The attestation key of a genuine chip; nil for a proof of another server, a forged one, and one that is over.
    func attestationKey(in proof: [UInt8]) -> TPMAttestationKey?
}

/// Protection of a new key, as far as it is proved.
package enum KeyAttestationFinding: Hashable, Sendable, CaseIterable {
    case unproved
    /// A chip made the key, holds it and does not give it out.
    case chip
    /// In addition the chip counts wrong PINs, and takes few of them in a row.
    case chipWithPIN
}

/// Reason to refuse a new key for the evidence that a chip holds it.
@nonexhaustive
package enum KeyAttestationRefusal: Error, Hashable, Sendable {
    /// The policy demands evidence, and there is none.
    case missing
    /// There is more than one piece of evidence.
    case ambiguous
    case malformed
    /// The proof about the attestation key is none of this server, or has expired.
    case unprovedKey
    case chip(TPMRefusal)

    package var word: String {
        guard case .chip(let refusal) = self else { return "\(self)" }
        return "chip.\(refusal.word)"
    }
}
