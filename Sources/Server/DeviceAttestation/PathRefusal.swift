/// Reason to refuse the certificates of a statement.
@nonexhaustive
package enum PathRefusal: Error, Hashable, Sendable {
    /// More certificates than a statement may bring.
    case tooLong
    /// No certificate, or bytes that are not an X.509 certificate that can be read.
    case malformed
    /// The certificates are not in the order leaf, its issuer, the issuer's issuer.
    case wrongOrder
    /// Two of the certificates that issue others name the same subject, which no path needs.
    case repeatedIssuer
    /// There is no path to a configured root that RFC 5280 accepts at this time.
    case noValidPath
}
