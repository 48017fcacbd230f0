import ServerCore
import StrictYAML
import UAF

extension SectionReader {
    mutating func readUAF(profile: Deployment.Profile, http: HTTPSettings) -> UAFDeployment {
        let defaults = Self.standardLimits
        let policies = readPolicies()
        let metadata = section("metadata") { $0.readMetadata() }
        var verification = readVerification()
        let channel = section("channel-binding") { $0.readChannelBinding(of: http) }
        verification.channelBinding = channel.rule
        let attestationRoots = section("key-attestation") { $0.readAttestationRoots() }
        requireAttestationRoots(attestationRoots, for: policies)
        let appAttestation = section("app-attestation") { $0.readAppAttestation() }
        requireApplications(appAttestation, for: policies)
        let facets = readFacets(profile: profile)
        return UAFDeployment(
            appID: value("app-id") { setting throws(Setting.Mismatch) in try setting.asAppID() },
            facets: facets,
            metadataPath: metadata.path, metadataFiles: metadata.files,
            policies: policies, defaultPolicy: readDefaultPolicy(among: policies),
            responseLifetime: section("timeouts") {
                $0.duration("response", in: UAFSettings.responseLifetimes, default: defaults.responseLifetime)
            },
            transactionMaximumByteCount: integer(
                "transaction-max-bytes", in: 1...16_384, default: defaults.transactionByteCount),
            hidesUnknownUsers: flag("hide-unknown-users", default: true),
            revokedAAIDs: Set(models("revoked-aaids") ?? []), verification: verification,
            frontEndCertificateFiles: channel.files, attestationRoots: attestationRoots,
            appAttestation: appAttestation,
            applications: readApplications(among: facets),
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
        let rule = section("key-attestation") { $0.choice("rule", default: PolicyCatalog.KeyAttestation.ignored) }
        guard !has("file") else {
            let file = readPolicyFile()
            return PolicyDeployment(
                policy: file?.policy ?? Policy(accepted: []), demands: file?.demands ?? PolicyDemands(),
                keyAttestation: rule)
        }
        let accepted = values("accepted") { setting throws(Setting.Mismatch) in try setting.asAlternative() } ?? []
        if accepted.isEmpty { report("accepted", .missing) }
        let disallowed = models("disallowed") ?? []
        let policy = Policy(
            accepted: accepted.map { alternative in alternative.map { MatchCriteria(aaids: [$0]) } },
            disallowed: disallowed.map { MatchCriteria(aaids: [$0]) })
        return PolicyDeployment(policy: policy, keyAttestation: rule)
    }

    /// The file of a policy in UAF JSON; nil for one that is refused, which is reported.
    private mutating func readPolicyFile() -> PolicyFile? {
        guard let path = path("file") else { return nil }
        guard let content = session.source.files.contents(of: path) else {
            report("file", .unreadableFile(path: path))
            return nil
        }
        do throws(PolicyFile.Fault) {
            return try PolicyFile(content)
        } catch {
            report("file", .notAllowed(rule: "\(path):\(error)"))
            return nil
        }
    }

    /// Reports policies that demand statements of applications that the settings do not name.
    private func requireApplications(
        _ settings: AppAttestationSettings, for policies: [PolicyName: PolicyDeployment]
    ) {
        for (name, policy) in policies {
            let hindrances = Set(policy.demands.alternatives.joined().flatMap(settings.hindrances)).sorted()
            guard !hindrances.isEmpty else { continue }
            report(
                "policies",
                .notAllowed(rule: "\(name) demands statements: " + hindrances.joined(separator: ", ")))
        }
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

extension SectionReader {
    mutating func readVerification() -> VerificationSettings {
        var settings = VerificationSettings()
        settings.refusesOutdatedAuthenticators = flag("refuse-outdated-authenticators", default: false)
        if has("max-registration-counter") {
            let limit = integer("max-registration-counter", in: 0...Int(UInt32.max), default: Int(UInt32.max))
            settings.registrationCounterLimit = UInt32(clamping: limit)
        }
        section("server-binding") { $0.readServerBinding(into: &settings) }
        return settings
    }

    private mutating func readServerBinding(into settings: inout VerificationSettings) {
        settings.serverBinding = choice("rule", default: settings.serverBinding)
        let origins = values("additional-origins") { setting throws(Setting.Mismatch) in try setting.asHTTPSOrigin() }
        settings.additionalOrigins = origins ?? []
    }

    /// The section `channel-binding`: the rule, and the files with the certificates of other front ends.
    private mutating func readChannelBinding(
        of http: HTTPSettings
    ) -> (rule: VerificationSettings.ChannelBinding, files: [String]) {
        let rule = choice("rule", default: VerificationSettings().channelBinding)
        let files = (texts("certificate-files") ?? []).compactMap { file -> String? in
            let path = session.source.absolute(file)
            guard session.source.files.contents(of: path) != nil else {
                report("certificate-files", .unreadableFile(path: file))
                return nil
            }
            return path
        }
        if rule == .required && !http.showsOwnCertificate && !has("certificate-files") {
            report("certificate-files", .missing)
        }
        return (rule, files)
    }

    private mutating func readAttestationRoots() -> [[UInt8]] {
        (texts("roots-files") ?? []).compactMap { file -> [UInt8]? in
            guard let content = session.source.files.contents(of: session.source.absolute(file)) else {
                report("roots-files", .unreadableFile(path: file))
                return nil
            }
            guard String(decoding: content, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
                report("roots-files", .notAllowed(rule: "\(file) holds no certificate in PEM form"))
                return nil
            }
            return content
        }
    }

    /// Reports policies that judge evidence of chips where no chip is known.
    private func requireAttestationRoots(_ roots: [[UInt8]], for policies: [PolicyName: PolicyDeployment]) {
        guard roots.isEmpty, policies.values.contains(where: { $0.keyAttestation != .ignored }) else { return }
        report(
            "key-attestation",
            .notAllowed(
                rule: "a policy judges attested keys: roots-files has to name the certificates of the authorities that "
                    + "certify chips"))
    }

    /// The list `additional-algorithms`: numbers of the registry of predefined values (FIDO UAF Registry 1.1, 3.6).
    mutating func readAdditionalAlgorithms() -> [AAID: [SigningProfile]] {
        var profiles: [AAID: [SigningProfile]] = [:]
        for (model, profile) in sectionList("additional-algorithms", { $0.readAlgorithm() }).compactMap({ $0 }) {
            profiles[model, default: []].append(profile)
        }
        return profiles
    }

    private mutating func readAlgorithm() -> (AAID, SigningProfile)? {
        let model = value("aaid") { setting throws(Setting.Mismatch) in try setting.asModel() }
        for key in ["aaid", "algorithm", "key-format"] where !has(key) { report(key, .missing) }
        let algorithm = integer("algorithm", in: 1...Int(UInt16.max), default: 1)
        let format = integer("key-format", in: 1...Int(UInt16.max), default: 1)
        guard let model, has("algorithm"), has("key-format") else { return nil }
        return (
            model,
            SigningProfile(
                algorithm: AuthenticationAlgorithm(rawValue: UInt16(clamping: algorithm)),
                publicKeyFormat: PublicKeyFormat(rawValue: UInt16(clamping: format)))
        )
    }
}

extension Setting {
    func asAppID() throws(Mismatch) -> AppID {
        guard let appID = AppID(try asHTTPSURL()) else { throw .rule("must be an https URL of at most 512 characters") }
        return appID
    }

    /// The value as a facet; what looks like a wildcard passes in the development profile only.
    func asFacet(_ profile: Deployment.Profile) throws(Mismatch) -> FacetID {
        let text = try asText()
        let prefixes = ["https://", "android:apk-key-hash:", "ios:bundle-id:", "linux:app-id:"]
        guard let facet = FacetID(text), prefixes.contains(where: { text.hasPrefix($0) && text.count > $0.count })
        else { throw .rule("must begin with one of " + prefixes.joined(separator: ", ")) }
        if profile == .production && text.hasSuffix("*") {
            throw .rule(
                "is no wildcard: it would match only an application of literally this identity; list the applications")
        }
        return facet
    }

    /// The value as an authenticator model such as `F1D0#0001`.
    func asModel() throws(Mismatch) -> AAID {
        guard let aaid = AAID(try asText()) else { throw .rule("must be an AAID such as F1D0#0001") }
        return aaid
    }

    /// The value as models that are used together, joined by `+`.
    func asAlternative() throws(Mismatch) -> [AAID] {
        let parts = try asText().split(separator: "+", omittingEmptySubsequences: false)
        var models: [AAID] = []
        for part in parts {
            guard let aaid = AAID(part.filter { $0 != " " }) else {
                throw .rule("must be AAIDs such as F1D0#0001, joined by + when they are used together")
            }
            models.append(aaid)
        }
        return models
    }

    func asPolicyName() throws(Mismatch) -> PolicyName {
        guard let name = PolicyName(try asText()) else {
            throw .rule("a policy name has letters, digits, dot, underscore and hyphen")
        }
        return name
    }
}
