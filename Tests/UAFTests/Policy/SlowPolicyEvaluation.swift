import UAF

/// The rules of policies written down one after the other, without any thought of speed.
struct SlowPolicyEvaluation {
    let candidates: [AuthenticatorCandidate]
    let isRegistration: Bool

    func choices(_ policy: Policy) -> [[Int]] {
        var result: [[Int]] = []
        for set in policy.accepted {
            for tuple in tuples(set.count) where isDistinct(tuple) {
                let fits = zip(tuple, set).allSatisfy { index, criteria in
                    isUsable(index, policy) && matches(criteria, candidates[index])
                        && !(isRegistration && criteria.keyIDs != nil)
                }
                if fits { result.append(tuple) }
            }
        }
        return result
    }

    /// Every tuple of candidate indices, in lexical order.
    private func tuples(_ length: Int) -> [[Int]] {
        guard length > 0 else { return [[]] }
        return candidates.indices.flatMap { first in tuples(length - 1).map { [first] + $0 } }
    }

    private func isDistinct(_ tuple: [Int]) -> Bool {
        Set(tuple).count == tuple.count
    }

    private func isUsable(_ index: Int, _ policy: Policy) -> Bool {
        let candidate = candidates[index]
        if policy.disallowed.contains(where: { matches($0, candidate) }) { return false }
        return isRegistration ? candidate.canRegister : !candidate.keyIDs.isEmpty
    }

    private func matches(_ criteria: MatchCriteria, _ candidate: AuthenticatorCandidate) -> Bool {
        let model = candidate.characteristics
        var fits = true
        if let aaids = criteria.aaids { fits = fits && aaids.map(\.text).contains(candidate.aaid.text) }
        if let keys = criteria.keyIDs { fits = fits && !Set(keys).isDisjoint(with: candidate.keyIDs) }
        if let wanted = criteria.userVerification?.rawValue {
            let given = model.userVerification.rawValue
            let all: UInt32 = 0x400
            fits = fits && (wanted == given || (wanted & all == 0 && given & all == 0 && wanted & given != 0))
        }
        if let wanted = criteria.keyProtection { fits = fits && wanted.rawValue & model.keyProtection.rawValue != 0 }
        if let wanted = criteria.authenticationAlgorithms {
            fits = fits && !Set(wanted).isDisjoint(with: model.authenticationAlgorithms)
        }
        if let wanted = criteria.assertionSchemes { fits = fits && wanted.contains(model.assertionScheme) }
        if let wanted = criteria.attestationTypes {
            fits = fits && !Set(wanted).isDisjoint(with: model.attestationTypes)
        }
        return fits
    }
}
