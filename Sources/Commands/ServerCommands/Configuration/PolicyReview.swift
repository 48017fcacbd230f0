import ServerConfiguration
import ServerCore
import UAF

struct PolicyReview {
    private let uaf: UAFDeployment
    private let statements: [MetadataStatement]

    init(_ uaf: UAFDeployment, _ catalog: MetadataCatalog) {
        self.uaf = uaf
        statements = catalog.statements
    }

    /// Reasons for which an alternative of a policy cannot be satisfied; empty when it can.
    func hindrances(in alternative: [MatchCriteria], of policy: Policy) -> [String] {
        alternative.flatMap { criteria in
            let fitting = statements.filter(criteria.fits)
            guard !fitting.isEmpty else {
                return criteria.aaids.map { $0.map { "no metadata describes \($0)" } }
                    ?? ["no model of the metadata has what its criteria ask for"]
            }
            let hindrances = fitting.map { statement -> String? in
                if policy.disallowed.contains(where: { $0.keyIDs == nil && $0.fits(statement) }) {
                    return "\(statement.aaid) is also disallowed"
                }
                return uaf.revokedAAIDs.contains(statement.aaid) ? "\(statement.aaid) is in revoked-aaids" : nil
            }
            return hindrances.contains(nil) ? [] : hindrances.compactMap(\.self)
        }
    }

    /// Whether a user with keys of these models can be asked for one by some policy.
    func takes(_ models: [AAID]) -> Bool {
        let held = statements.filter { models.contains($0.aaid) && !uaf.revokedAAIDs.contains($0.aaid) }
        guard !uaf.policies.isEmpty else { return !held.isEmpty }
        return uaf.policies.values.contains { deployment in
            let policy = deployment.policy
            let usable = held.filter { statement in !policy.disallowed.contains { $0.fits(statement) } }
            return policy.accepted.contains { set in set.allSatisfy { usable.contains(where: $0.fits) } }
        }
    }

    /// Warnings about alternatives that can never be satisfied, and in `production` about keys held by software.
    func warnings(isProduction: Bool) -> [String] {
        let unused = uaf.policies.sorted { $0.key.text < $1.key.text }.flatMap { name, policy -> [String] in
            let hindrances = policy.policy.accepted.map { self.hindrances(in: $0, of: policy.policy) }
            guard hindrances.contains(where: \.isEmpty) else { return [] }
            return Set(hindrances.joined()).sorted().map {
                "an alternative of fido-uaf.policies.\(name) can never be taken: \($0)"
            }
        }
        return unused + (isProduction ? softwareWarnings : [])
    }

    private var softwareWarnings: [String] {
        let accepted = uaf.policies.values.flatMap { $0.policy.accepted.joined() }
        let soft = statements.filter { statement in
            statement.keyProtection.contains(.software) && !uaf.revokedAAIDs.contains(statement.aaid)
                && (uaf.policies.isEmpty || accepted.contains { $0.fits(statement) })
        }
        guard !soft.isEmpty else { return [] }
        return [
            "the production profile takes authenticators that hold their keys in software, so a copy of the phone's files "
                + "has the keys: \(soft.map(\.aaid.text).joined(separator: ", ")); leave them out of "
                + "fido-uaf.policies, or put them into revoked-aaids"
        ]
    }
}

extension MatchCriteria {
    /// Whether the criteria are about a model, whatever keys and version it has.
    func fits(_ statement: MetadataStatement) -> Bool {
        matchesModel(statement.aaid, statement.characteristics, judgingAttachment: false)
    }
}

extension MetadataCatalog {
    /// Violations of the rules by the metadata statements, a sentence for each; the statements are used nevertheless.
    var lintWarnings: [String] {
        statements.flatMap { statement in
            MetadataLinter.warnings(for: statement).map { warning in
                "the metadata of \(statement.aaid) \(warning.words)"
            }
        }
    }
}

extension MetadataWarning {
    /// Predicate of a sentence whose subject is a metadata statement.
    fileprivate var words: String {
        switch self {
        case .keyFormatContradictsAlgorithm: "names a format of public keys that does not go with the algorithm"
        case .severalMethodsInOneDescriptor:
            "names several ways of user verification, or none, in one descriptor (userVerificationDetails)"
        case .userVerificationNotExpressible:
            "has ways of user verification that one value cannot express: policies have to name the model"
        case .keyProtectionInconsistent: "combines values of keyProtection that exclude each other"
        case .keyProtectionLacksHardware: "names a secure element or a TEE in keyProtection without hardware"
        case .matcherProtectionInconsistent: "does not have exactly one value of matcherProtection"
        case .attachmentHintInconsistent: "combines internal with something else in attachmentHint, or is empty there"
        case .displayKindUndeclared: "has a display without saying of which kind (tcDisplay)"
        case .displayContentInconsistent: "has a display whose content type and characteristics do not go together"
        case .rootCertificatesInconsistent:
            "has root certificates without full attestation, or full attestation without root certificates"
        case .versionMissing: "does not name UAF 1.1 among its versions (upv)"
        case .iconMissing: "has no icon"
        @unknown default: "breaks a rule for such statements"
        }
    }
}
