import UAF

/// Checks of server data, appID, facet, channel and server binding, which tie a response to a request; the same for
/// both operations.
enum AddressCheck {
    static func require(
        _ parameters: FinalChallengeParameters, _ header: OperationHeader, to request: SentRequest,
        settings: RelyingPartySettings
    ) throws(RefusalReason) {
        try ServerDataCheck.require(header.serverData, of: request)
        try AppIDCheck.require(header, for: request)
        try AppIDCheck.require(parameters, for: request)
        try FacetCheck.require(parameters.facetID, among: settings.facets)
        try ChannelBindingCheck.require(parameters.channelBinding, rule: settings.channelBinding)
        try ServerBindingCheck.require(parameters.serverBinding, of: request, rule: settings.serverBinding)
    }
}

/// Check of the server data: it came back unchanged.
///
/// The caller that made the text knows whether it is authentic and of this session; here it must be the same text.
enum ServerDataCheck {
    static func require(_ answered: ServerData?, of request: SentRequest) throws(RefusalReason) {
        guard answered == request.serverData else { throw .serverData }
    }
}

/// Check of the appID: the request's, or the client's facet when the request named none.
enum AppIDCheck {
    /// The header repeats what the request said (FIDO UAF Protocol 1.1, 3.1.3), though no key has signed it.
    static func require(_ header: OperationHeader, for request: SentRequest) throws(RefusalReason) {
        guard header.appID == request.appID else { throw .appID }
    }

    static func require(_ parameters: FinalChallengeParameters, for request: SentRequest) throws(RefusalReason) {
        let expected = request.appID ?? AppID(parameters.facetID.text)
        guard parameters.appID == expected else { throw .appID }
    }
}

/// Check of the facet: the application that responded is one of the server's own.
enum FacetCheck {
    static func require(_ facet: FacetID, among trusted: TrustedFacets) throws(RefusalReason) {
        guard trusted.contains(facet) else { throw .facet }
    }
}
