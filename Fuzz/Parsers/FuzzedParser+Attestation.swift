import BackendAPI
import DeviceAttestation
import StrictCBOR
import TestSupport
import UAF

extension FuzzedParser {
    /// Parsers of statements about devices, and of what stands in them.
    ///
    /// The parts on their own as well, because a fuzzer would not find the signatures around them.
    static let attestations: [FuzzedParser] = [
        exact("cbor", read: { try CBORParser.parse($0) }, write: { CBORWriter.write($0) }),
        canonical("app-attest") { _ = try AppAttestObject($0) },
        canonical("app-attest-assertion") { _ = try AppAttestAssertion($0) },
        reading("app-attest-key") { _ = try AuthenticatorData(attestation: $0) },
        exact("tpm-statement", read: { try TPMKeyStatement(octets: $0) }, write: { $0.octets }),
        exact("tpm-attestation-key", read: { try TPMAttestationKey(publicArea: $0) }, write: { $0.publicArea }),
        reading("tpm-attest") { _ = try TPMAttest($0) },
        reading("tpm-counts") { _ = try TPMAttest.Counts($0) },
        reading("tpm-attempt-index") { _ = try TPMAttemptIndex($0) },
        exact("key-attestation-evidence", read: evidence, write: { $0.octets }),
        body("attestation-request", AttestationEnrolment.Request.self),
        body("attestation-credential", AttestationEnrolment.Credential.self),
        body("attestation-answer", AttestationEnrolment.Answer.self),
        body("attestation-proof", AttestationEnrolment.Proof.self),
        reading("android-key-description") { _ = try AndroidKeyDescription($0[...]) },
    ]

    private struct NoEvidence: Error {}

    @Sendable private static func evidence(_ bytes: [UInt8]) throws -> KeyAttestationEvidence {
        guard let evidence = KeyAttestationEvidence(octets: bytes) else { throw NoEvidence() }
        return evidence
    }

    /// Statement in CBOR: what is accepted has one spelling.
    static func canonical(
        _ name: String, read: @escaping @Sendable ([UInt8]) throws -> Void
    ) -> FuzzedParser {
        exact(
            name,
            read: { bytes in
                try read(bytes)
                return try CBORParser.parse(bytes)
            }, write: { CBORWriter.write($0) })
    }

    /// Structure that is read for a few of its fields: the promise is that reading ends.
    static func reading(
        _ name: String, read: @escaping @Sendable ([UInt8]) throws -> Void
    ) -> FuzzedParser {
        FuzzedParser(name) { bytes throws(FuzzFinding) in (try? read(bytes)) != nil }
    }
}
