import ServerCore
import UAF

extension SectionReader {
    /// The settings of `fido-uaf` that say how strictly answers are judged.
    mutating func readVerification() -> VerificationSettings {
        var settings = VerificationSettings()
        settings.refusesOutdatedAuthenticators = flag("refuse-outdated-authenticators", default: false)
        if has("max-registration-counter") {
            let limit = integer("max-registration-counter", in: 0...Int(UInt32.max), default: Int(UInt32.max))
            settings.registrationCounterLimit = UInt32(clamping: limit)
        }
        section("channel-binding") { $0.readChannelBinding(into: &settings) }
        return settings
    }

    private mutating func readChannelBinding(into settings: inout VerificationSettings) {
        settings.channelBinding = choice("rule", default: settings.channelBinding)
        settings.frontEndCertificates = (texts("certificate-files") ?? []).compactMap { file in
            guard let content = session.source.files.contents(of: session.source.absolute(file)) else {
                report("certificate-files", .unreadableFile(path: file))
                return nil
            }
            return content
        }
        if settings.channelBinding != .ignored && !has("certificate-files") { report("certificate-files", .missing) }
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
