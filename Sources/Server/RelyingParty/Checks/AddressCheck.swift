import UAF

/// Checks 3 and 5 to 7, which tie an answer to a request; the same for both operations.
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
    }
}
