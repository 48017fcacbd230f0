import ServerConfiguration
import ServerCore
import UAF

/// What the metadata says about the models that policies name.
struct PolicyReview {
    private let uaf: UAFDeployment
    private let statements: [MetadataStatement]

    init(_ uaf: UAFDeployment, _ catalog: MetadataCatalog) {
        self.uaf = uaf
        statements = catalog.statements
    }

    /// Why an alternative of a policy cannot be met; empty when it can.
    func hindrances(in alternative: [AAID], of policy: PolicyDeployment) -> [String] {
        alternative.compactMap { model in
            if !statements.contains(where: { $0.aaid == model }) { return "no metadata describes \(model)" }
            if policy.disallowed.contains(model) { return "\(model) is also disallowed" }
            return uaf.revokedAAIDs.contains(model) ? "\(model) is in revoked-aaids" : nil
        }
    }

    /// What is unwise: alternatives that can never be taken, and in `production` keys that are held by software.
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
            "the production profile takes authenticators whose keys are held by software, so that whoever copies the "
                + "phone's files has them: \(soft.map(\.aaid.text).joined(separator: ", ")); leave them out of "
                + "fido-uaf.policies, or put them into revoked-aaids"
        ]
    }
}
