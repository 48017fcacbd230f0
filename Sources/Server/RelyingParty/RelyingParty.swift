package import UAF

/// Settings by which every response is verified; made once for each load of the configuration.
package struct RelyingPartySettings: Sendable {
    package var models: ModelCatalog
    /// The applications that may answer.
    package var facets: TrustedFacets
    package var channelBinding: ChannelBindingRule = .ignored
    package var serverBinding: ServerBindingRule = .ignored
    /// Choices that the specification leaves open.
    package var profile: VerificationProfile = .product
    /// Reads the proofs about attestation keys that evidence of chips brings; without it none holds.
    package var attestationKeys: (any KeyAttestationReader)?

    package init(models: ModelCatalog, facets: TrustedFacets) {
        self.models = models
        self.facets = facets
    }
}

/// Refusal of a response, with the rule that it breaks.
///
/// Only ``status`` may leave the server; the rest is for its audit log.
package struct RelyingPartyError: Error, Hashable, Sendable {
    /// Stage of the verification, which decides whether the challenge is consumed.
    package enum Stage: Hashable, Sendable {
        /// Before the challenge is checked: it is not shown that the response belongs to the request. Nothing is
        /// consumed; otherwise attackers could end other people's ceremonies.
        case addressing
        /// From the check of the challenge on: it is consumed whatever the outcome.
        case judging
    }

    package let rule: Rule
    package let status: StatusCode
    package let reason: RefusalReason
    package let stage: Stage
    /// Position of the assertion that broke the rule, counted from 0; nil when it is the message or its policy.
    package let assertion: Int?

    /// Whether the outcome must consume the challenge.
    package var consumesChallenge: Bool { stage == .judging }

    init(_ reason: RefusalReason, operation: Rule.Operation, stage: Stage, assertion: Int? = nil) {
        // The operations share the type of their reasons, so the compiler cannot know that this one has the check.
        rule = reason.rule(for: operation) ?? Rule(operation: operation, check: 0)
        status = reason.status
        self.reason = reason
        self.stage = stage
        self.assertion = assertion
    }
}
