/// What a server judges every answer by; made once for each load of its configuration.
package struct RelyingPartySettings: Sendable {
    /// The authenticator models it knows.
    package var models: ModelCatalog
    /// The applications that may answer.
    package var facets: TrustedFacets
    /// What is demanded of the channel binding.
    package var channelBinding: ChannelBindingRule = .ignored
    /// Where the specification leaves a choice.
    package var profile: VerificationProfile = .product
    /// Verifies for algorithms 5 and 6; without it they are unsupported.
    package var secp256k1: (any SignatureVerifier)?

    /// Settings with the defaults of the product.
    package init(models: ModelCatalog, facets: TrustedFacets, secp256k1: (any SignatureVerifier)?) {
        self.models = models
        self.facets = facets
        self.secp256k1 = secp256k1
    }
}
