/// Why attestation certificates are refused.
@nonexhaustive
package enum CertificatePathError: Error, Hashable, Sendable {
    /// Nobody has validated the path; full attestation needs the asynchronous entry point.
    case notValidated
    /// Bytes are not an X.509 certificate that can be read.
    case malformed
    /// The certificates are not in the order attestation certificate, its issuer, the issuer's issuer.
    case wrongOrder
    /// There is no path to a root of the metadata that RFC 5280 accepts at this time.
    case noValidPath
    /// The attestation certificate names another model.
    case foreignModel
}
