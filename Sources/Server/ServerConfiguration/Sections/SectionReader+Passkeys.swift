import DeviceAttestation
import OpenID
import StrictYAML
import WebAuthn

extension SectionReader {
    /// The section `openid.passkeys`; nil when it is switched off, which it is by default.
    mutating func readPasskeys() -> OpenIDSettings.Passkeys? {
        let isEnabled = flag("enabled", default: false)
        var passkeys = OpenIDSettings.Passkeys()
        passkeys.relyingPartyID = value("relying-party-id") { setting throws(Setting.Mismatch) in
            try setting.asDomain()
        }
        passkeys.origins = Set(
            values("origins") { setting throws(Setting.Mismatch) in try setting.asHTTPSOrigin() } ?? [])
        passkeys.takesSyncedKeys = flag("synced", default: passkeys.takesSyncedKeys)
        passkeys.removalWait = duration(
            "removal-wait", in: .seconds(3_600)...(.seconds(7 * 86_400)), default: passkeys.removalWait)
        passkeys.attestation = section("attestation") { $0.readPasskeyAttestation() }
        return isEnabled ? passkeys : nil
    }

    /// Certificates of makers; without them no authenticator is asked who has made it.
    private mutating func readPasskeyAttestation() -> AttestationPolicy {
        var policy = AttestationPolicy()
        let isRequired = flag("required", default: false)
        (policy.takesNone, policy.takesSelf) = (!isRequired, !isRequired)
        var texts: [[UInt8]] = []
        for path in (self.texts("roots-files") ?? []).map({ session.source.absolute($0) }) {
            guard let octets = session.source.files.contents(of: path) else {
                report("roots-files", .unreadableFile(path: path))
                return policy
            }
            texts.append(octets)
        }
        if texts.isEmpty {
            if isRequired { report("required", .notAllowed(rule: "needs certificates of makers in roots-files")) }
            return policy
        }
        do throws(PathRefusal) {
            policy.roots = try TrustRoots(pemTexts: texts)
            // Statements are asked for now, also of authenticators that nothing is known of.
            (policy.takesUnknownFormats, policy.takesUnknownRoots) = (!isRequired, !isRequired)
        } catch {
            report("roots-files", .notAllowed(rule: "must hold certificates in PEM form"))
        }
        return policy
    }
}

extension Setting {
    /// The value as a name of a domain: labels of small letters, digits and hyphens.
    fileprivate func asDomain() throws(Mismatch) -> String {
        let text = try asText()
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
        }
        guard isName, text.utf8.count <= 253, labels.last?.contains(where: \.isLetter) == true else {
            throw .rule("must be the name of a domain in small letters, such as example.com")
        }
        return text
    }
}
