import ServerCore
import UAF

extension SectionReader {
    /// The section `fido-uaf`.
    mutating func readUAF(profile: Deployment.Profile) -> UAFDeployment {
        let defaults = Self.standardLimits
        let policies = readPolicies()
        let metadata = section("metadata") { $0.readMetadata() }
        return UAFDeployment(
            appID: value("app-id") { setting throws(Setting.Mismatch) in try setting.asAppID() },
            facets: readFacets(profile: profile),
            metadataPath: metadata.path, metadataFiles: metadata.files,
            policies: policies, defaultPolicy: readDefaultPolicy(among: policies),
            responseLifetime: section("timeouts") {
                $0.duration("response", in: UAFSettings.responseLifetimes, default: defaults.responseLifetime)
            },
            transactionMaximumByteCount: integer(
                "transaction-max-bytes", in: 1...16_384, default: defaults.transactionByteCount),
            hidesUnknownUsers: flag("hide-unknown-users", default: true),
            revokedAAIDs: Set(models("revoked-aaids") ?? []), verification: readVerification(),
            additionalAlgorithms: readAdditionalAlgorithms(),
            dispatchers: readDispatchers(profile: profile))
    }

    private static let standardLimits = (responseLifetime: Duration.seconds(480), transactionByteCount: 4_096)

    private mutating func readFacets(profile: Deployment.Profile) -> [FacetID] {
        let problemCount = session.problems.count
        let given = values("facets") { setting throws(Setting.Mismatch) in try setting.asFacet(profile) }
        if let given, !given.isEmpty { return given }
        // A list whose facets are all wrong has been reported already.
        guard session.problems.count == problemCount else { return [] }
        guard profile == .development, !has("facets") else {
            report("facets", .missing)
            return []
        }
        return UAFDeployment.demonstrationFacets.compactMap(FacetID.init)
    }

    /// `metadata.path`: a file, or a folder whose `.json` files are read in the order of their names.
    private mutating func readMetadata() -> (path: String?, files: [String]) {
        guard let path = path("path") else { return (nil, []) }
        return (path, metadataFiles(at: path))
    }

    private func metadataFiles(at path: String) -> [String] {
        guard let names = session.source.files.names(in: path) else {
            guard session.source.files.permissions(of: path) != nil else {
                report("path", .unreadableFile(path: path))
                return []
            }
            return [path]
        }
        let files = names.filter { $0.hasSuffix(".json") }.map { path + "/" + $0 }
        if files.isEmpty { report("path", .notAllowed(rule: "the folder holds no .json file")) }
        return files
    }

    // MARK: - Policies

    private mutating func readPolicies() -> [PolicyName: PolicyDeployment] {
        var policies: [PolicyName: PolicyDeployment] = [:]
        for (text, policy) in namedSections("policies", { _, section in section.readPolicy() }) {
            guard let name = PolicyName(text) else {
                report("policies", .notAllowed(rule: "a policy name has letters, digits, dot, underscore and hyphen"))
                continue
            }
            policies[name] = policy
        }
        return policies
    }

    private mutating func readPolicy() -> PolicyDeployment {
        let accepted = values("accepted") { setting throws(Setting.Mismatch) in try setting.asAlternative() } ?? []
        if accepted.isEmpty { report("accepted", .missing) }
        return PolicyDeployment(accepted: accepted, disallowed: models("disallowed") ?? [])
    }

    private mutating func readDefaultPolicy(among policies: [PolicyName: PolicyDeployment]) -> PolicyName {
        let name = value("default-policy") { setting throws(Setting.Mismatch) in try setting.asPolicyName() }
        let chosen = name ?? .standard
        // Without policies there is one, of the standard name, that takes every model.
        if policies.isEmpty ? chosen != .standard : policies[chosen] == nil {
            report(
                "default-policy",
                .notAllowed(rule: "there is no policy \"\(chosen)\" under policies: define it, or name one of those"))
        }
        return chosen
    }

    private mutating func models(_ key: String) -> [AAID]? {
        values(key) { setting throws(Setting.Mismatch) in try setting.asModel() }
    }
}
