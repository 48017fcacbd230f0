/// One report about a model.
///
/// FIDO Metadata Service 1.1, 3.1.3.
public struct StatusReport: Hashable, Sendable {
    /// What is reported.
    public let status: AuthenticatorStatus
    /// ISO 8601 date from which it holds.
    public let effectiveDate: String?
    /// The attestation certificate it is about, base64 DER.
    public let certificate: String?
    /// Where more can be read.
    public let url: String?

    /// Puts a report together.
    public init(
        status: AuthenticatorStatus, effectiveDate: String? = nil, certificate: String? = nil, url: String? = nil
    ) {
        self.status = status
        self.effectiveDate = effectiveDate
        self.certificate = certificate
        self.url = url
    }
}
