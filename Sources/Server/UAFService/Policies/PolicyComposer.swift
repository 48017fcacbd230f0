import RelyingParty
import UAF

/// Turns a policy of the configuration into the one that is sent to a certain user.
///
/// The same input gives the same policy: an answer is judged by composing again what was sent.
struct PolicyComposer {
    static let alternativeLimit = 64

    /// A key that a user may sign with.
    struct Key: Hashable {
        let id: CredentialID
        let authenticatorVersion: UInt16
    }

    let models: ModelCatalog
    let metadata: MetadataCatalog
    let revoked: Set<AAID>
    var identity = AcceptanceIdentity()

    /// For a registration: the keys the user has already are excluded (FIDO UAF Protocol 1.1, 3.4.6.1).
    func registration(_ base: Policy, existing: [CredentialID]) -> Policy {
        let present = existing.map { MatchCriteria(aaids: [$0.aaid], keyIDs: [$0.keyID]) }
        return Policy(accepted: base.accepted, disallowed: base.disallowed + revocations + present)
    }

    /// For a user who is not known yet: no keys are named, so authenticators that only second another are left out.
    func authenticationOfAnyone(_ base: Policy, needsDisplay: Bool) -> Policy {
        let unsuitable = metadata.statements.filter { statement in
            statement.isSecondFactorOnly || (needsDisplay && statement.display.kind.isEmpty)
        }
        let excluded = unsuitable.isEmpty ? [] : [MatchCriteria(aaids: unsuitable.map(\.aaid))]
        return Policy(accepted: base.accepted, disallowed: base.disallowed + revocations + excluded)
    }

    /// For a known user: every criteria names models and keys of the user (FIDO UAF Protocol 1.1, 3.5.7.1).
    ///
    /// Nil when none of the user's keys satisfies the policy.
    func authentication(_ base: Policy, keys: [Key], needsDisplay: Bool) -> Policy? {
        let usable = needsDisplay ? keys.filter { metadata[$0.id.aaid]?.display.kind.isEmpty == false } : keys
        var accepted: [[MatchCriteria]] = []
        for set in base.accepted {
            for alternative in alternatives(for: set, keys: usable) where !accepted.contains(alternative) {
                guard accepted.count < Self.alternativeLimit else { break }
                accepted.append(alternative)
            }
        }
        guard !accepted.isEmpty else { return nil }
        return Policy(accepted: accepted, disallowed: base.disallowed + revocations)
    }

    /// The set with every criteria replaced by keys that satisfy it: one alternative for each choice of models.
    private func alternatives(for set: [MatchCriteria], keys: [Key]) -> [[MatchCriteria]] {
        guard let first = set.first else { return [] }
        var alternatives = replacements(for: first, keys: keys).prefix(Self.alternativeLimit).map { [$0] }
        for criteria in set.dropFirst() {
            let replacements = replacements(for: criteria, keys: keys)
            var extended: [[MatchCriteria]] = []
            for alternative in alternatives {
                for replacement in replacements where extended.count < Self.alternativeLimit {
                    extended.append(alternative + [replacement])
                }
            }
            alternatives = extended
        }
        return alternatives
    }

    /// One criteria for each model of which the user has a fitting key, with all such keys.
    private func replacements(for criteria: MatchCriteria, keys: [Key]) -> [MatchCriteria] {
        var keysOfModels: [(aaid: AAID, keyIDs: [KeyID])] = []
        for key in keys
        where !revoked.contains(key.id.aaid)
            && models.satisfies(criteria, key.id, authenticatorVersion: key.authenticatorVersion)
        {
            if let index = keysOfModels.firstIndex(where: { $0.aaid == key.id.aaid }) {
                keysOfModels[index].keyIDs.append(key.id.keyID)
            } else {
                keysOfModels.append((key.id.aaid, [key.id.keyID]))
            }
        }
        return keysOfModels.map { MatchCriteria(aaids: [$0.aaid], keyIDs: $0.keyIDs) }
    }

    private var revocations: [MatchCriteria] {
        guard !revoked.isEmpty else { return [] }
        return [MatchCriteria(aaids: revoked.sorted { $0.text < $1.text })]
    }
}
