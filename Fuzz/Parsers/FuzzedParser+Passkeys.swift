import DeviceAttestation
import WebAuthn

extension FuzzedParser {
    /// Parsers of answers with passkeys, and of what stands in them.
    static let passkeys: [FuzzedParser] = [
        reading("passkey-registration") { _ = try RegistrationAnswer($0) },
        reading("passkey-assertion") { _ = try AssertionAnswer($0) },
        reading("passkey-client-data") { _ = try CollectedClientData($0) },
        reading("passkey-report") { _ = try AuthenticatorReport($0) },
        canonical("passkey-attestation") { _ = try AttestationObject($0) },
        canonical("passkey-key") { _ = try CredentialKey(octets: $0) },
        reading("passkey-metadata") { _ = try PasskeyMetadata.Content($0) },
        reading("tpm-credential-area") { _ = try TPMCredentialArea($0) },
    ]
}
