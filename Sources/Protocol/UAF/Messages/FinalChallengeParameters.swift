/// What the authenticator's signature binds the user's answer to.
///
/// FIDO UAF Protocol 1.1, 3.1.9. The value keeps the base64url text it travels in (`fcParams`): the hash that the
/// authenticator signs is taken over that text, so it is never encoded a second time.
public struct FinalChallengeParameters: Hashable, Sendable {
    /// The application the answer is for.
    public let appID: AppID
    /// The challenge of the request.
    public let challenge: ServerChallenge
    /// The application that asked, as the client determined it.
    public let facetID: FacetID
    /// What the client knows of the connection.
    public let channelBinding: ChannelBinding
    /// The base64url text, as received or as first encoded.
    public let encoded: String

    package init(
        appID: AppID, challenge: ServerChallenge, facetID: FacetID, channelBinding: ChannelBinding, encoded: String
    ) {
        self.appID = appID
        self.challenge = challenge
        self.facetID = facetID
        self.channelBinding = channelBinding
        self.encoded = encoded
    }
}
