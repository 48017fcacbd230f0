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
    func hindrances(in alternative: [AAID], of policy: PolicyDeployment) -> [String] {
        alternative.compactMap { model in
            if !statements.contains(where: { $0.aaid == model }) { return "no metadata describes \(model)" }
            if policy.disallowed.contains(model) { return "\(model) is also disallowed" }
            return uaf.revokedAAIDs.contains(model) ? "\(model) is in revoked-aaids" : nil
        }
    }

    /// Whether a user with keys of these models can be asked for one by some policy.
    func takes(_ models: [AAID]) -> Bool {
        guard !uaf.policies.isEmpty else {
            return models.contains { model in
                statements.contains { $0.aaid == model } && !uaf.revokedAAIDs.contains(model)
            }
        }
        return uaf.policies.values.contains { policy in
            policy.accepted.contains { alternative in
                alternative.allSatisfy(models.contains) && hindrances(in: alternative, of: policy).isEmpty
            }
        }
    }

    /// Warnings about alternatives that can never be satisfied, and in `production` about keys held by software.
    func warnings(isProduction: Bool) -> [String] {
        let unused = uaf.policies.sorted { $0.key.text < $1.key.text }.flatMap { name, policy -> [String] in
            let hindrances = policy.accepted.map { self.hindrances(in: $0, of: policy) }
            guard hindrances.contains(where: \.isEmpty) else { return [] }
            return Set(hindrances.joined()).sorted().map {
                "an alternative of fido-uaf.policies.\(name) can never be taken: \($0)"
            }
        }
        return unused + (isProduction ? softwareWarnings : [])
    }

    private var softwareWarnings: [String] {
        let accepted = Set(uaf.policies.values.flatMap { $0.accepted.joined() })
        let soft = statements.filter { statement in
            statement.keyProtection.contains(.software) && !uaf.revokedAAIDs.contains(statement.aaid)
                && (uaf.policies.isEmpty || accepted.contains(statement.aaid))
        }
        guard !soft.isEmpty else { return [] }
        return [
            "the production profile takes authenticators that hold their keys in software, so a copy of the phone's files "
                + "has the keys: \(soft.map(\.aaid.text).joined(separator: ", ")); leave them out of "
                + "fido-uaf.policies, or put them into revoked-aaids"
        ]
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
