package import HardwareKeys
import UAF

/// Attestation key of this device with the proof of a server that a genuine chip holds it.
package struct ProvedAttester: Sendable {
    private let attester: any KeyAttester
    private let proof: [UInt8]

    package init(_ attester: any KeyAttester, proof: [UInt8]) {
        self.attester = attester
        self.proof = proof
    }

    /// Evidence that the chip holds a key, for the signed part of its registration.
    ///
    /// It may be ignored, so that nothing is lost where the server does not know it.
    func evidence(
        about reference: KeyReference, for registration: KeyRegistrationData
    ) async throws(AuthenticatorError) -> AssertionExtension {
        do throws(KeyVaultError) {
            let statement = try await attester.statement(
                about: reference, qualification: KeyAttestationEvidence.qualification(of: registration.octets))
            return KeyAttestationEvidence(proof: proof, statement: statement).assertionExtension
        } catch {
            throw AuthenticatorError(vault: error)
        }
    }
}
