/// Which authenticators of a device satisfy a policy.
///
/// FIDO UAF Protocol 1.1, 3.4.6.1 and 3.5.7.1. The same evaluation answers `checkPolicy`.
public struct PolicyEvaluation: Sendable {
    /// What the authenticators are needed for.
    public enum Purpose: Hashable, Sendable {
        /// Making keys.
        case registration
        /// Signing, and showing a transaction that comes in these forms (none: there is no transaction).
        case authentication(showing: [ContentType])
    }

    /// One authenticator of a choice with the criteria it was chosen for.
    public struct Selection: Hashable, Sendable {
        /// Index among the candidates.
        public let candidate: Int
        /// Tells which keys and which attestation the server wants.
        public let criteria: MatchCriteria
    }

    /// Steps of the search after which further choices are not looked for; a bound against hostile policies.
    static let stepLimit = 20_000

    private let candidates: [AuthenticatorCandidate]
    private let purpose: Purpose

    /// Prepares to judge the authenticators of a device.
    public init(candidates: [AuthenticatorCandidate], purpose: Purpose) {
        self.candidates = candidates
        self.purpose = purpose
    }

    /// Every way to satisfy the policy, in the server's order of preference, then in that of the candidates.
    ///
    /// Each choice gives every criteria of one accepted set an authenticator of its own. None means
    /// ``ClientErrorCode/noSuitableAuthenticator``. Throws ``MessageError/unknownCriticalExtension`` when a criteria
    /// cannot be judged because of an extension that is not among `knownExtensions`.
    public func choices(
        for policy: Policy, knownExtensions: Set<ExtensionID> = []
    ) throws(MessageError) -> [[Selection]] {
        for criteria in policy.disallowed { try criteria.extensions.requireKnown(knownExtensions) }
        for set in policy.accepted {
            for criteria in set { try criteria.extensions.requireKnown(knownExtensions) }
        }
        let usable = candidates.indices.filter { index in
            isUsable(candidates[index]) && !policy.disallowed.contains { matches($0, candidates[index]) }
        }
        var search = AssignmentSearch(stepLimit: Self.stepLimit)
        return policy.accepted.flatMap { set in
            let fitting = set.map { criteria in usable.filter { accepts(criteria, candidates[$0]) } }
            return search.assignments(of: fitting).map { assignment in
                zip(assignment, set).map { Selection(candidate: $0, criteria: $1) }
            }
        }
    }

    /// The keys that an authenticator of a choice may sign with: those it holds, of those that the server named.
    public func keyIDs(for selection: Selection) -> [KeyID] {
        let held = candidates[selection.candidate].keyIDs
        guard let wanted = selection.criteria.keyIDs else { return held }
        return held.filter(wanted.contains)
    }

    private func isUsable(_ candidate: AuthenticatorCandidate) -> Bool {
        switch purpose {
        case .registration:
            return candidate.canRegister
        case .authentication(let forms):
            guard !candidate.keyIDs.isEmpty else { return false }
            guard !forms.isEmpty else { return true }
            guard let shown = candidate.displayContentType else { return false }
            return !candidate.characteristics.transactionConfirmationDisplay.isEmpty && forms.contains(shown)
        }
    }

    /// Whether an accepted criteria fits; a registration makes a new key, so no criteria can name it.
    private func accepts(_ criteria: MatchCriteria, _ candidate: AuthenticatorCandidate) -> Bool {
        if purpose == .registration, criteria.keyIDs != nil { return false }
        return matches(criteria, candidate)
    }

    private func matches(_ criteria: MatchCriteria, _ candidate: AuthenticatorCandidate) -> Bool {
        if let wanted = criteria.keyIDs, !candidate.keyIDs.contains(where: wanted.contains) { return false }
        return criteria.matchesModel(candidate.aaid, candidate.characteristics)
    }
}
