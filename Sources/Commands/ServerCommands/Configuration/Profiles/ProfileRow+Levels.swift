import OpenID
import ServerConfiguration
import ServerCore
import StrictYAML

/// NIST SP 800-63B-4, section 2: what differs between AAL2 and AAL3.
extension ProfileRow {
    static let aal2 =
        [
            ProfileRow(
                "2.2.2", "one way to sign in resists phishing", "fido-uaf.server-binding.rule", serverBinding,
                help: "set it to verified or required, so that applications sign which server they talk to",
                isMet: { $0.deployment.uaf.verification.serverBinding != .ignored }),
            ProfileRow("2.2.2", "cryptographic modules of federal agencies are validated", .outside(noValidation)),
        ] + lifetimes("2.2.3", overall: "24 hours, or 1 hour without activity", limit: .seconds(3_600))

    static let aal3 =
        [
            ProfileRow(
                "2.3.1", "sign-ins use a key of the device that asks", "openid.enabled",
                { $0.deployment.webSites.openID == nil ? "false" : "true" },
                help: "set it to false: pages and CIBA ask another device, which AAL3 does not take",
                isMet: { $0.deployment.webSites.openID == nil }),
            ProfileRow(
                "2.3.1", "no system begins a sign-in on another device", "out-of-band.access-keys",
                {
                    keysThatAsk($0.deployment.outOfBand).isEmpty
                        ? "without sign-ins" : keysThatAsk($0.deployment.outOfBand)
                },
                help: "take the scopes dispatch, dispatch:authentication and approve from these keys",
                isMet: { keysThatAsk($0.deployment.outOfBand).isEmpty }),
            ProfileRow(
                "2.3.2", "keys lie in hardware that gives none away (3.2.13)", "fido-uaf.policies", keyAttestation,
                help: "set key-attestation: { rule: required } in each policy",
                isMet: { subject in
                    let policies = subject.deployment.uaf.policies.values
                    return !policies.isEmpty && policies.allSatisfy { $0.keyAttestation == .required }
                }),
            ProfileRow(
                "2.3.2", "each sign-in resists phishing", "fido-uaf.server-binding.rule", serverBinding,
                help: "set it to required, so that an answer that does not sign which server it is for is refused",
                isMet: { $0.deployment.uaf.verification.serverBinding == .required }),
            ProfileRow(
                "2.3.2", "cryptographic modules of authenticators and verifiers are validated", .outside(noValidation)),
        ] + lifetimes("2.3.3", overall: "12 hours, or 15 minutes without activity", limit: .seconds(900))

    private static let noValidation =
        "BoringSSL and the chips of phones bring their own certificates, and Signet claims none: compare them with your "
        + "obligations"

    private static let serverBinding: ProfileSetting.Reading = { $0.deployment.uaf.verification.serverBinding.rawValue }

    private static let keyAttestation: ProfileSetting.Reading = { subject in
        let rules = subject.deployment.uaf.policies.sorted { $0.key.text < $1.key.text }
            .map { "\($0.key.text): \($0.value.keyAttestation)" }
        return rules.isEmpty ? "absent" : rules.joined(separator: ", ")
    }

    /// Names of the access keys that may begin authentications on phones.
    private static func keysThatAsk(_ settings: OutOfBandSettings) -> String {
        settings.accessKeys.filter {
            !$0.rights.scopes.isDisjoint(with: [.dispatch, .dispatchAuthentication, .approve])
        }
        .map(\.name.text).joined(separator: ", ")
    }

    /// Sessions have one lifetime, which activity does not prolong: below the limit of inactivity it keeps both limits.
    static func lifetimes(_ section: String, overall: String, limit: Duration) -> [ProfileRow] {
        let help = "set it to \(limit.configurationText) or less; a session lives as long whether it is used or not"
        return [
            ProfileRow(
                section, "a browser signs in again after \(overall)", "openid.browser-session-lifetime",
                { $0.deployment.webSites.openID?.browserSessionLifetime.configurationText ?? "of no use" }, help: help,
                isMet: { ($0.deployment.webSites.openID?.browserSessionLifetime ?? .zero) <= limit }),
            ProfileRow(
                section, "a login of the back end ends after \(overall)", "sessions.lifetime",
                { $0.deployment.sessions.isEnabled ? $0.deployment.sessions.lifetime.configurationText : "of no use" },
                help: help, isMet: { !$0.deployment.sessions.isEnabled || $0.deployment.sessions.lifetime <= limit }),
        ]
    }
}
