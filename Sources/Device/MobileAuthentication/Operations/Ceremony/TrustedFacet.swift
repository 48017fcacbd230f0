package import UAF

/// An application that was found to belong to an AppID (FIDO AppID and Facets 1.1, 3.1).
package struct TrustedFacet: Hashable, Sendable {
    /// The effective AppID: that of the request, or the facet itself when the request has none.
    package let appID: AppID
    /// The facet of this application.
    package let facetID: FacetID

    package init(appID: AppID, facetID: FacetID) {
        self.appID = appID
        self.facetID = facetID
    }

    /// What the answer to a challenge is bound to.
    func finalChallenge(for challenge: ServerChallenge) -> FinalChallengeParameters {
        FinalChallengeParameters(appID: appID, challenge: challenge, facetID: facetID)
    }
}
