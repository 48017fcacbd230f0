package import StrictJSON

/// Policy of a server: the accepted and the disallowed authenticators.
///
/// FIDO UAF Protocol 1.1, 3.1.13.
///
/// ```swift
/// var anyFingerprint = MatchCriteria(
///     authenticationAlgorithms: [.secp256r1ECDSASHA256DER], assertionSchemes: [.uafV1TLV])
/// anyFingerprint.userVerification = .fingerprint
/// let policy = Policy(
///     accepted: [[MatchCriteria(aaids: [pin])], [anyFingerprint]],
///     disallowed: [MatchCriteria(aaids: [revoked])])
/// ```
public struct Policy: Hashable, Sendable {
    /// Alternatives in order of preference, at least one.
    ///
    /// Each is a set of authenticators that are needed together.
    public let accepted: [[MatchCriteria]]
    /// An authenticator that matches one of these is out.
    public let disallowed: [MatchCriteria]

    /// Makes a policy.
    public init(accepted: [[MatchCriteria]], disallowed: [MatchCriteria] = []) {
        self.accepted = accepted
        self.disallowed = disallowed
    }
}

extension Policy: JSONCoded {
    /// Reads a policy; `accepted` and the sets in it are not empty.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            accepted: try members.required("accepted") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { set throws(JSONTypeError) in
                    try set.asNonEmptyArray(of: MatchCriteria.self, rules: rules)
                }
            },
            disallowed: try members.list("disallowed", rules: rules))
    }

    package var json: JSONValue {
        .object([
            "accepted": .array(accepted.map { set in .array(set.map(\.json)) }),
            "disallowed": .list(disallowed),
        ])
    }
}

/// Evaluation of a policy: the authenticators of a device that satisfy it.
///
/// FIDO UAF Protocol 1.1, 3.4.6.1 and 3.5.7.1. The same evaluation answers `checkPolicy`.
///
/// ```swift
/// let evaluation = PolicyEvaluation(candidates: candidates, purpose: .registration)
/// for choice in try evaluation.choices(for: policy) {
///     show(choice.map { candidates[$0.candidate].aaid })
/// }
/// ```
public struct PolicyEvaluation: Sendable {
    /// Operation that the authenticators are needed for.
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

    /// Every way to satisfy the policy, in the server's order of preference, then in the candidates' order.
    ///
    /// Each choice gives every criteria of one accepted set a different authenticator. None means
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

/// Search for the ways to assign a different item to each of several places, out of the items that fit it.
package struct AssignmentSearch: Sendable {
    private var stepsLeft: Int

    /// Allows so many steps over all searches with this value.
    package init(stepLimit: Int) { stepsLeft = stepLimit }

    /// All ways, in the order of the places and, for each place, of the things that fit it.
    ///
    /// `fitting` holds for each place the indices of the things that fit. Once the steps are used up, what was found so
    /// far is the answer.
    package mutating func assignments(of fitting: [[Int]]) -> [[Int]] {
        guard !fitting.isEmpty, fitting.allSatisfy({ !$0.isEmpty }) else { return [] }
        var found: [[Int]] = []
        var chosen: [Int] = []
        // For each place that is filled or being filled, the next of its things to try.
        var cursors = [0]
        while let cursor = cursors.last, stepsLeft > 0 {
            stepsLeft -= 1
            let place = cursors.count - 1
            guard cursor < fitting[place].count else {
                cursors.removeLast()
                if !chosen.isEmpty { chosen.removeLast() }
                continue
            }
            cursors[place] += 1
            let thing = fitting[place][cursor]
            guard !chosen.contains(thing) else { continue }
            if place == fitting.count - 1 {
                found.append(chosen + [thing])
            } else {
                chosen.append(thing)
                cursors.append(0)
            }
        }
        return found
    }
}
