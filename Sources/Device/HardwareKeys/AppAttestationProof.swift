/// Statement about the application, as Apple's App Attest makes it.
public enum AppAttestationProof: Hashable, Sendable {
    /// Attestation of a new key, which the server does not know yet: the identifier of the key (SHA-256 of its point,
    /// 32 bytes), and the object that Apple has made (CBOR, at most 16 KiB).
    case newKey(id: [UInt8], attestation: [UInt8])
    /// Assertion by a key that the server has seen attested: its identifier (32 bytes), and the assertion (CBOR, at most
    /// 1 KiB).
    case key(id: [UInt8], assertion: [UInt8])
}
