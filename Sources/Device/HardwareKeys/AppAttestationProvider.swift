/// Provider of statements about the application, which a server may demand before it takes a response.
///
/// The SDK asks for one with each response of a registration or an authentication. `AppAttest` of `HardwareKeysApple`
/// asks Apple; adopt the protocol for another service, or to decide in the application when there is something to state.
public protocol AppAttestationProvider: Sendable {
    /// The statement about a response; nil to make none.
    ///
    /// `digest` is the SHA-256 of the response, 32 bytes, and `server` the address that it goes to. What is thrown ends
    /// the operation with its `AppAttestationError`, with the error as the cause; nothing is sent then.
    func statement(about digest: [UInt8], for server: String) async throws -> AppAttestationProof?

    /// Forgets what was attested for a server, which has not taken the last statement; the next one begins anew.
    func forget(_ server: String) async
}

/// Statement about the application, as Apple's App Attest makes it.
public enum AppAttestationProof: Hashable, Sendable {
    /// Attestation of a new key, which the server does not know yet: the identifier of the key (SHA-256 of its point,
    /// 32 bytes), and the object that Apple has made (CBOR, at most 16 KiB).
    case newKey(id: [UInt8], attestation: [UInt8])
    /// Assertion by a key that the server has seen attested: its identifier (32 bytes), and the assertion (CBOR, at most
    /// 1 KiB).
    case key(id: [UInt8], assertion: [UInt8])
}
