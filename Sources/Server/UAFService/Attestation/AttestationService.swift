package import BackendAPI
import DeviceAttestation
import FoundationEssentials
import Octets
package import ServerCore

/// Enrolment of attestation keys: a chip of a known manufacturer shows that it holds one (`docs/security/attestation.md`).
///
/// Nothing is stored: the phone keeps the state of the enrolment and the proof that comes of it, both sealed. The
/// certificate of the chip is forgotten as soon as it is verified.
package struct AttestationService: Sendable {
    let acceptance: AcceptanceService
    let seal: AttestationKeySeal
    let random: any RandomSource
    let wall: any WallClock
    let log: ServiceLog

    /// Makes a credential for a chip and its attestation key.
    ///
    /// Throws ``ServerError/policyViolation`` for a chip of no known manufacturer, for a key that signs more than what
    /// its chip states, and where no manufacturer is configured.
    package func begin(
        _ request: AttestationEnrolment.Request, client: ClientContext
    ) async throws(ServerError) -> AttestationEnrolment.Credential {
        guard let roots = acceptance.current.attestationRoots else { throw refusal("not configured", client) }
        var secret = random.bytes(count: CredentialChallenge.secretByteCount)
        defer { SecretOctets.wipe(&secret) }
        let challenge: CredentialChallenge
        do throws(TPMRefusal) {
            let attestationKey = try TPMAttestationKey(publicArea: request.attestationKey)
            let endorsementKey = try await EndorsementKey(request.certificates, endingAt: roots, at: today)
            challenge = try CredentialChallenge(
                SecretOctets(copying: secret), for: attestationKey, to: endorsementKey)
        } catch {
            throw refusal(error.word, client)
        }
        return AttestationEnrolment.Credential(
            credential: challenge.credential, encryptedSeed: challenge.encryptedSeed,
            enrolment: try seal.seal(secret: secret, for: request.attestationKey))
    }

    /// Gives the proof to a phone whose chip has recovered the secret.
    ///
    /// Throws ``ServerError/policyViolation`` for another secret, and for an enrolment that is not this server's or has
    /// expired.
    package func finish(
        _ answer: AttestationEnrolment.Answer, client: ClientContext
    ) throws(ServerError) -> AttestationEnrolment.Proof {
        guard let enrolment = seal.enrolment(in: answer.enrolment) else { throw refusal("no enrolment", client) }
        do throws(TPMRefusal) {
            try CredentialChallenge.require(answer.secret, equals: SecretOctets(copying: enrolment.secret))
        } catch {
            throw refusal(error.word, client)
        }
        let proof = try seal.proof(of: enrolment)
        return AttestationEnrolment.Proof(proof: proof.octets, lifetimeMillis: proof.lifetime.wholeMilliseconds)
    }

    /// The date that certificates have to be valid at.
    private var today: Date { Date(timeIntervalSince1970: Double(wall.now().milliseconds) / 1000) }

    /// Counts a refusal by its cause; any client can cause one.
    private func refusal(_ cause: String, _ client: ClientContext) -> ServerError {
        log.countUnsigned("attestation key: \(cause)", from: client)
        return .policyViolation
    }
}
