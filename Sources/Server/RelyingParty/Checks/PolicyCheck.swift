import UAF

/// Check of the policy: the request asked for this authenticator.
///
/// FIDO UAF Protocol 1.1, 3.1.12. Judged by the policy that was sent and by the server's own metadata, so neither a
/// changed request nor a lying client gains anything.
enum PolicyCheck {
    /// Something that claims to be a key on an authenticator.
    struct Claim {
        let model: AuthenticatorModel
        let keyID: KeyID
        let authenticatorVersion: UInt16
    }

    /// Throws unless some accepted criteria fit the claim and none of the disallowed ones do.
    ///
    /// `fits` adds what the operation asks of criteria beyond ``fits(_:_:)``.
    static func require(
        _ claim: Claim, in policy: Policy, where fits: (MatchCriteria) -> Bool
    ) throws(RefusalReason) {
        guard !policy.disallowed.contains(where: { disallows($0, claim) }) else { throw .policy }
        try requireAccepted(claim, in: policy, where: fits)
    }

    static func requireAccepted(
        _ claim: Claim, in policy: Policy, where fits: (MatchCriteria) -> Bool
    ) throws(RefusalReason) {
        for set in policy.accepted {
            for position in set.indices where self.fits(set[position], claim) && fits(set[position]) { return }
        }
        throw .policy
    }

    /// Whether criteria can be met by a new key: a key that they name exists already.
    static func admitsNewKey(_ criteria: MatchCriteria) -> Bool {
        criteria.keyIDs == nil
    }

    /// Whether the criteria describe the authenticator and admit its key.
    static func satisfies(_ criteria: MatchCriteria, _ claim: Claim) -> Bool {
        fits(criteria, claim) && admits(claim.keyID, criteria)
    }

    /// Whether criteria name this key, or no key at all.
    static func admits(_ keyID: KeyID, _ criteria: MatchCriteria) -> Bool {
        criteria.keyIDs?.contains(keyID) ?? true
    }

    /// Whether the criteria describe the authenticator; keys and attachment are not looked at.
    ///
    /// The attachment of an authenticator is a hint that changes while it is used: nothing is refused for it.
    static func fits(_ criteria: MatchCriteria, _ claim: Claim) -> Bool {
        // Criteria with an extension that must be understood cannot be judged.
        guard !criteria.extensions.contains(where: \.failIfUnknown),
            claim.authenticatorVersion >= criteria.authenticatorVersion ?? 0
        else { return false }
        let model = claim.model
        return criteria.matchesModel(model.statement.aaid, model.characteristics, judgingAttachment: false)
    }

    /// Disallowed criteria that name keys are about those keys only, not about the model.
    private static func disallows(_ criteria: MatchCriteria, _ claim: Claim) -> Bool {
        if let keyIDs = criteria.keyIDs, !keyIDs.contains(claim.keyID) { return false }
        if let wanted = criteria.attachmentHint, wanted.isDisjoint(with: claim.model.statement.attachmentHint) {
            return false
        }
        return fits(criteria, claim)
    }
}
