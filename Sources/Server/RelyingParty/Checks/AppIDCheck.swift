import UAF

/// Check 5: the answer is for the application of the request, or for the client's facet when the request named none.
enum AppIDCheck {
    static func require(_ parameters: FinalChallengeParameters, for request: SentRequest) throws(RefusalReason) {
        let expected = request.appID ?? AppID(parameters.facetID.text)
        guard parameters.appID == expected else { throw .appID }
    }
}
