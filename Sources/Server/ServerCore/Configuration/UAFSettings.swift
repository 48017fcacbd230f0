package import UAF

/// The relying party's side of FIDO UAF.
package struct UAFSettings: Sendable {
    package static let responseLifetimes: ClosedRange<Duration> = .seconds(10) ... .seconds(600)

    /// URL of the list of trusted facets; the `appID` of every request.
    package var appID: AppID
    /// The facets that may answer.
    package var facets: [FacetID]
    package var policies: PolicyCatalog
    /// Time in which a request may be answered: 240 s for the user, 180 s cool-down of a PIN, the rest for the network.
    package var responseLifetime: Duration = .seconds(480)
    /// Longest text of a transaction in bytes; the conformance profile sets 200 characters.
    package var transactionMaximumByteCount = 4096
    /// Whether a request for an unknown user looks like one for a known user.
    package var hidesUnknownUsers = true
    /// Models of authenticators that are refused (status 1493), also with keys registered before.
    package var revokedAAIDs: Set<AAID> = []
    package var verification = VerificationSettings()
    /// Certificates of the authorities that certify chips, as texts in PEM form; without one no chip can show anything.
    package var attestationRoots: [[UInt8]] = []
    package var appAttestation = AppAttestationSettings()
    /// Versions of applications, as the operator wants them.
    package var applications: [ApplicationVersions] = []
    /// Algorithm and key format pairs accepted beside the pairs of the metadata, by model.
    package var additionalAlgorithms: [AAID: [SigningProfile]] = [:]

    package init(appID: AppID, facets: [FacetID], policies: PolicyCatalog) {
        self.appID = appID
        self.facets = facets
        self.policies = policies
    }
}
