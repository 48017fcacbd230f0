package import UAF

/// An application that was found to belong to an AppID (FIDO AppID and Facets 1.1 section 3.1).
package struct TrustedFacet: Hashable, Sendable {
    /// The effective AppID: the request's, or the facet itself when the request has none.
    package let appID: AppID
    package let facetID: FacetID
    /// Channel binding data of the connection that the request came over; empty where the transport cannot tell.
    package private(set) var channelBinding = ChannelBinding()

    package init(appID: AppID, facetID: FacetID) {
        self.appID = appID
        self.facetID = facetID
    }

    /// The same facet, for a request that came over a connection.
    package func over(_ channelBinding: ChannelBinding) -> TrustedFacet {
        var facet = self
        facet.channelBinding = channelBinding
        return facet
    }

    package func finalChallenge(
        for challenge: ServerChallenge, in binding: ServerBinding?
    ) -> FinalChallengeParameters {
        FinalChallengeParameters(
            appID: appID, challenge: challenge, facetID: facetID, channelBinding: channelBinding,
            serverBinding: binding)
    }
}

/// Whether the application may use an AppID.
package enum FacetVerdict: Sendable {
    /// It may, under this effective AppID.
    case trusted(TrustedFacet)
    case untrusted(any Error)
    /// The list that would say so could not be fetched.
    case unreachable(any Error)
}

extension FacetVerdict {
    package func over(_ channelBinding: ChannelBinding) -> FacetVerdict {
        guard case .trusted(let facet) = self else { return self }
        return .trusted(facet.over(channelBinding))
    }

    package var failure: CeremonyFailure {
        switch self {
        case .trusted: .fido(.unknown)
        case .untrusted(let cause): .fido(.untrustedFacetID, cause: cause)
        case .unreachable(let error): .unreachable(error)
        }
    }
}
