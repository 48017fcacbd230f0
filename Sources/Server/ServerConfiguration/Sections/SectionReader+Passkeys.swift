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
        passkeys.metadata = readPasskeyMetadata()
        let hasMetadata = passkeys.metadata != nil
        passkeys.attestation = section("attestation") { $0.readPasskeyAttestation(beside: hasMetadata) }
        return isEnabled ? passkeys : nil
    }

    /// The list of models, whose signer has to be known; the list is verified where it is used.
    private mutating func readPasskeyMetadata() -> PasskeyMetadataFile? {
        let path = filePath("metadata-file")
        let roots = readRoots("metadata-roots-files")
        guard let path, let roots else {
            let hasRoots = texts("metadata-roots-files")?.isEmpty == false
            if has("metadata-file") != hasRoots {
                report(hasRoots ? "metadata-file" : "metadata-roots-files", .missing)
            }
            return nil
        }
        return PasskeyMetadataFile(path: path, roots: roots)
    }

    /// Certificates of makers; without them and without a list of models no authenticator is asked who has made it.
    private mutating func readPasskeyAttestation(beside hasMetadata: Bool) -> AttestationPolicy {
        var policy = AttestationPolicy()
        let isRequired = flag("required", default: false)
        (policy.takesNone, policy.takesSelf) = (!isRequired, !isRequired)
        policy.roots = readRoots("roots-files")
        if policy.roots == nil, !hasMetadata {
            if isRequired { report("required", .notAllowed(rule: "needs certificates of makers in roots-files")) }
        } else {
            // Statements are asked for now, also of authenticators that nothing is known of.
            (policy.takesUnknownFormats, policy.takesUnknownRoots) = (!isRequired, !isRequired)
        }
        return policy
    }

    /// Certificates in the files of a setting; nil for none, and for what cannot be used.
    private mutating func readRoots(_ key: String) -> TrustRoots? {
        var texts: [[UInt8]] = []
        for path in (self.texts(key) ?? []).map({ session.source.absolute($0) }) {
            guard let octets = session.source.files.contents(of: path) else {
                report(key, .unreadableFile(path: path))
                return nil
            }
            texts.append(octets)
        }
        if texts.isEmpty { return nil }
        do throws(PathRefusal) {
            return try TrustRoots(pemTexts: texts)
        } catch {
            report(key, .notAllowed(rule: "must hold certificates in PEM form"))
            return nil
        }
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
