package import UAF

/// The name under which the configuration holds a policy: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct PolicyName: Sendable, Hashable, Comparable, CustomStringConvertible {
    package static let byteLimit = 64
    /// The name of the policy that is used when a request names no other.
    package static let standard = PolicyName(known: "default")

    /// The name; ASCII, so that `==` compares bytes.
    package let text: String

    package init?(_ text: String) {
        guard (1...Self.byteLimit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private init(known text: StaticString) {
        self.text = text.description
    }

    package var description: String { text }

    package static func < (one: PolicyName, other: PolicyName) -> Bool { one.text < other.text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// One text of a policy, named by its hash.
package struct PolicyRevision: Sendable, Hashable {
    /// The JSON text.
    package let content: [UInt8]
    package let hash: PolicyHash

    package init(content: [UInt8]) {
        self.content = content
        hash = PolicyHash(of: content)
    }
}

/// Policies as they were sent, found by the hash of their text; an answer is judged by the policy it was asked under.
package protocol PolicyRevisions: Sendable {
    /// Keeps a revision; keeping it again changes nothing.
    func keep(_ revision: PolicyRevision, at now: Timestamp) async throws(ServerError)

    func revision(_ hash: PolicyHash) async throws(ServerError) -> PolicyRevision?
}

/// The policies by name.
package struct PolicyCatalog: Sendable, Hashable {
    /// Rule for the evidence that chips hold the keys of a registration (`docs/security/attestation.md`).
    package enum KeyAttestation: String, Sendable, Hashable, CaseIterable {
        /// Nothing is asked for, and nothing is looked at.
        case ignored
        /// Phones are not asked for evidence; evidence that is sent anyway must be valid.
        case verified
        /// Phones are asked for it, and refused without (status 1496).
        case required
    }

    package let policies: [PolicyName: Policy]
    package let defaultName: PolicyName
    /// Rules for evidence of chips; ``KeyAttestation/ignored`` for policies that are not named here.
    package let keyAttestation: [PolicyName: KeyAttestation]
    /// Demands beside UAF; none for policies that are not named here.
    package let demands: [PolicyName: PolicyDemands]

    /// Takes policies; throws ``ServerError/invalidSetting(name:)`` when the default is not among them.
    package init(
        _ policies: [PolicyName: Policy], defaultName: PolicyName = .standard,
        keyAttestation: [PolicyName: KeyAttestation] = [:], demands: [PolicyName: PolicyDemands] = [:]
    ) throws(ServerError) {
        guard policies[defaultName] != nil else { throw .invalidSetting(name: "policies.default") }
        self.policies = policies
        self.defaultName = defaultName
        self.keyAttestation = keyAttestation
        self.demands = demands
    }

    /// Only the default policy: any authenticator whose model is in the catalogue, one alternative for each.
    package init(acceptingModelsOf metadata: MetadataCatalog) throws(ServerError) {
        let alternatives = metadata.statements.map { [MatchCriteria(aaids: [$0.aaid])] }
        guard !alternatives.isEmpty else { throw .invalidSetting(name: "metadata") }
        policies = [.standard: Policy(accepted: alternatives)]
        defaultName = .standard
        keyAttestation = [:]
        demands = [:]
    }
}
