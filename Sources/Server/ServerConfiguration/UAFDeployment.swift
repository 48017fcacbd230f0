package import ServerCore
package import UAF

/// Section of the configuration about FIDO UAF; the metadata decides what its defaults mean.
package struct UAFDeployment: Sendable {
    /// The URL of the facet list; nil: the public origin with the path of the facets service.
    package var appID: AppID?
    package var facets: [FacetID]
    /// The file or folder with metadata statements; nil: the statements of the product's own authenticators.
    package var metadataPath: String?
    /// The files there in the order of their names; empty without a path.
    package var metadataFiles: [String]
    /// Policies by name; empty: one that takes each authenticator of the metadata.
    package var policies: [PolicyName: PolicyDeployment]
    package var defaultPolicy: PolicyName
    package var responseLifetime: Duration
    package var transactionMaximumByteCount: Int
    /// Whether a request for an unknown user looks like one for a known user.
    package var hidesUnknownUsers: Bool
    /// Models that are refused, also with keys registered before.
    package var revokedAAIDs: Set<AAID>
    package var verification: VerificationSettings
    /// Files in PEM form with the certificates of the TLS front ends before this server: present and coming ones.
    package var frontEndCertificateFiles: [String]
    /// Certificates of the authorities that certify chips, as texts in PEM form.
    package var attestationRoots: [[UInt8]]
    package var appAttestation: AppAttestationSettings
    /// Versions of applications, as the operator wants them.
    package var applications: [ApplicationVersions]
    /// Algorithm and key format pairs accepted beside the pairs of the metadata, by model.
    package var additionalAlgorithms: [AAID: [SigningProfile]]
    package var dispatchers: [DispatcherSettings]

    /// The facets of the demonstration's phones, one for each platform.
    ///
    /// The development profile accepts them when none is configured.
    package static let demonstrationFacets = [
        "ios:bundle-id:org.signet.demo", "android:apk-key-hash:w56fMyf2AmdJPOIAqm1cKTqbo2Q",
        "linux:app-id:org.signet.demo",
    ]
}
