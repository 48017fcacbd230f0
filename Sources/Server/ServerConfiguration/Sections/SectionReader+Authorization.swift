import ServerCore
import StrictYAML

extension SectionReader {
    mutating func readAuthorization() -> AuthorizationSettings {
        var settings = AuthorizationSettings()
        settings.registration = choice("registration", default: settings.registration)
        settings.additionalCredential = choice("additional-credential", default: settings.additionalCredential)
        settings.maximumCredentialCount = integer(
            "max-credentials", in: 1...100, default: settings.maximumCredentialCount)
        return settings
    }

    mutating func readTokens() -> TokenDeployment {
        TokenDeployment(
            issuer: text("issuer"), audience: text("audience"),
            lifetime: duration("lifetime", in: .seconds(10)...TokenSettings.maximumLifetime, default: .seconds(900)),
            clockTolerance: duration("clock-tolerance", in: .zero...(.seconds(300)), default: .seconds(30)),
            trustedIssuers: sectionList("trusted-issuers") { $0.readTrustedIssuer() }.compactMap { $0 })
    }

    private mutating func readTrustedIssuer() -> TrustedIssuer? {
        let issuer = text("issuer")
        if !has("issuer") { report("issuer", .missing) }
        let file = filePath("key-set-file")
        if !has("key-set-file") { report("key-set-file", .missing) }
        guard let issuer, let file, let keySet = session.source.files.contents(of: file) else { return nil }
        if let fault = KeySetFault(of: keySet) { report("key-set-file", .notAllowed(rule: fault.description)) }
        return TrustedIssuer(issuer: issuer, keySet: keySet)
    }

    mutating func readSessions() -> SessionSettings {
        var settings = SessionSettings()
        settings.isEnabled = flag("enabled", default: settings.isEnabled)
        settings.lifetime = duration("lifetime", in: .seconds(10)...(.seconds(86_400)), default: settings.lifetime)
        return settings
    }

    /// The section `password-login`; nil when it is switched off, which it is by default.
    mutating func readPasswordLogin() -> PasswordLoginSettings? {
        var settings = PasswordLoginSettings()
        let isEnabled = flag("enabled", default: false)
        settings.failureLimit = integer("failure-limit", in: 1...1_000, default: settings.failureLimit)
        settings.failureLimitPerName = integer(
            "failure-limit-per-name", in: 1...100_000, default: settings.failureLimitPerName)
        settings.failureLimitPerAddress = integer(
            "failure-limit-per-address", in: 1...1_000_000, default: settings.failureLimitPerAddress)
        settings.laneCount = integer("parallel-checks", in: 1...64, default: settings.laneCount)
        settings.queueLimit = integer("queue", in: 1...10_000, default: settings.queueLimit)
        settings.queueLimitPerAddress = integer(
            "queue-per-address", in: 1...10_000, default: min(settings.queueLimitPerAddress, settings.queueLimit))
        settings.window = duration("window", in: .seconds(1)...(.seconds(86_400)), default: settings.window)
        return isEnabled ? settings : nil
    }
}
