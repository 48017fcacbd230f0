/// Failure to use a certificate, its key, or the authority that signs certificates for loopback.
@nonexhaustive
package enum ServerIdentityError: Error, Hashable, Sendable {
    /// Certificate chain and private key cannot be read or do not belong together: replace them.
    case unusableCertificate
    /// The server's own certificate authority cannot be read: remove its files and start again.
    case unusableAuthority
}
