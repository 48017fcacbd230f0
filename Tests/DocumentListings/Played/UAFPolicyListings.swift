// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import UAF

/// Listings of policies, facets, metadata and codes of UAF; each returns what it has made or decided.
public enum UAFPolicyListings {
    public static func policy(pin: AAID, revoked: AAID) -> Policy {
        // Listing: Policy/Policy.swift 1
        return policy
    }

    public static func choices(_ candidates: [AuthenticatorCandidate], _ policy: Policy) throws -> [[AAID]] {
        var shown: [[AAID]] = []
        func show(_ aaids: [AAID]) { shown.append(aaids) }
        // Listing: Policy/Policy.swift 2
        return shown
    }

    public static func userVerification() -> [Bool] {
        // Listing: UserVerification.swift
        return [fingerFits, bothFit]
    }

    public static func facet(
        _ header: OperationHeader, _ facetID: FacetID, _ suffixes: PublicSuffixRules,
        fetch: (String) async -> FacetResponse?
    ) async -> AppID? {
        // Listing: Facet.swift
        return appID
    }

    public static func facetList(_ facets: [FacetID]) -> [UInt8] {
        // Listing: TrustedFacetList.swift
        return body
    }

    public static func catalog(_ document: [UInt8]) throws -> [AAID] {
        var reported: [AAID] = []
        func report(_ warning: MetadataWarning, about aaid: AAID) { reported.append(aaid) }
        // Listing: MetadataCatalog.swift
        return reported
    }

    public static func statement(_ aaid: AAID) -> MetadataStatement {
        // Listing: MetadataStatement.swift
        return statement
    }

    public static func credential(_ keyIDText: String) -> CredentialID? {
        // Listing: CredentialID.swift
        return credential
    }

    public static func status(_ status: StatusCode) -> String {
        var done = ""
        func finish() { done = "finished" }
        func markKeyUnusable() { done = "unusable" }
        func refuse(_ code: UInt32) { done = "\(code)" }
        // Listing: StatusCode.swift
        return done
    }
}
