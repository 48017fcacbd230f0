package import UAF

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

/// An answer of a phone is refused.
///
/// Only ``status`` may leave the server; the rest is for its audit log.
package struct RelyingPartyError: Error, Hashable, Sendable {
    /// How far the judgement had come, which decides about the challenge.
    package enum Stage: Hashable, Sendable {
        /// Checks 1 to 7: it is not shown that the answer belongs to the request. Nothing is consumed, or anybody could
        /// end other people's ceremonies.
        case addressing
        /// From check 8 on: the challenge is consumed whatever the outcome.
        case judging
    }

    /// The rule that is broken.
    package let rule: Rule
    /// What the client is told.
    package let status: StatusCode
    /// What was found.
    package let reason: RefusalReason
    /// How far the judgement had come.
    package let stage: Stage
    /// Which assertion of the answer broke the rule, counted from 0; nil when it is the message or its policy.
    package let assertion: Int?

    /// Whether the outcome must consume the challenge.
    package var consumesChallenge: Bool { stage == .judging }

    init(_ reason: RefusalReason, operation: Rule.Operation, stage: Stage, assertion: Int? = nil) {
        rule = reason.rule(for: operation)
        status = reason.status
        self.reason = reason
        self.stage = stage
        self.assertion = assertion
    }
}
