import UAF

/// Check 5: the answer is for the application of the request, or for the client's facet when the request named none.
enum AppIDCheck {
    /// The header repeats what the request said (FIDO UAF Protocol 1.1, 3.1.3), though nobody has signed it.
    static func require(_ header: OperationHeader, for request: SentRequest) throws(RefusalReason) {
        guard header.appID == request.appID else { throw .appID }
    }

    static func require(_ parameters: FinalChallengeParameters, for request: SentRequest) throws(RefusalReason) {
        let expected = request.appID ?? AppID(parameters.facetID.text)
        guard parameters.appID == expected else { throw .appID }
    }
}
