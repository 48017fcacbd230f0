import CNIOBoringSSL
import Crypto
import NIOSSL

/// Keys of the session tickets of TLS (RFC 5077; RFC 8446, 4.6.1), the same in all processes of an installation.
///
/// A client that comes back with a ticket proves that it has been here before: the handshake has no certificate and no
/// signature, on either side, and agrees on a fresh key as ever in TLS 1.3. Without common keys that would be so only where a
/// load balancer sends the client to the process it was at, and never after a restart.
///
/// An attacker with the key of a TLS 1.2 ticket can read the connections that were resumed with it. So keys are derived
/// from one that the processes replace every day and then delete, and nothing stores them. Another certificate gives
/// other keys: no client resumes what began under a certificate that is no longer served. Early data (RFC 8446, 8) is
/// not accepted.
///
/// Tickets of the key before are not accepted either: those clients have one full handshake a day.
struct SessionTickets: Sendable {
    /// Purpose of the keys, in the derivation.
    private static let label = "signet TLS session tickets"
    /// Sizes that BoringSSL has for a key: its name, HMAC-SHA-256 and AES-128, 16 octets each.
    private static let byteCount = 48

    private let keys: SymmetricKey

    /// Derives the keys for a chain in PEM form from a secret of the installation (HKDF-SHA-256, RFC 5869).
    init(secret: SymmetricKey, chainPEM: String) {
        keys = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: Array(SHA256.hash(data: Array(chainPEM.utf8))),
            info: Array(Self.label.utf8), outputByteCount: Self.byteCount)
    }

    /// Has a context issue and accept tickets of these keys from now on, and no others; safe while connections use it.
    ///
    /// False when the context does not take them: its process then makes its own keys.
    func use(in context: NIOSSLContext) -> Bool {
        guard let handle = context.handle else { return false }
        return keys.withUnsafeBytes { SSL_CTX_set_tlsext_ticket_keys(handle, $0.baseAddress, $0.count) } == 1
    }
}

extension NIOSSLContext {
    /// The context of BoringSSL, which the library does not hand out; nil when it has another name in there.
    fileprivate var handle: OpaquePointer? {
        Mirror(reflecting: self).children.first { $0.label == "sslContext" }?.value as? OpaquePointer
    }
}
