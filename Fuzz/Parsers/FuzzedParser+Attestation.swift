import DeviceAttestation
import StrictCBOR

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
        reading("android-key-description") { _ = try AndroidKeyDescription($0[...]) },
    ]

    /// Statement in CBOR: what is accepted has one spelling.
    private static func canonical(
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
    private static func reading(
        _ name: String, read: @escaping @Sendable ([UInt8]) throws -> Void
    ) -> FuzzedParser {
        FuzzedParser(name) { bytes throws(FuzzFinding) in (try? read(bytes)) != nil }
    }
}
