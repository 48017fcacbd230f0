import ServerCore
import StrictYAML

extension SectionReader {
    mutating func readAppAttestation() -> AppAttestationSettings {
        var settings = AppAttestationSettings()
        settings.rule = choice("rule", default: settings.rule)
        settings.coversAuthentication = flag("authentication", default: settings.coversAuthentication)
        let (hasApple, hasAndroid) = (has("apple"), has("android"))
        settings.apple = section("apple") { hasApple ? $0.readApple() : nil }
        settings.android = section("android") { hasAndroid ? $0.readAndroid() : nil }
        if settings.rule != .ignored && !hasApple && !hasAndroid {
            report("rule", .notAllowed(rule: "needs the applications that are taken, under apple or android"))
        }
        return settings
    }

    private mutating func readApple() -> AppAttestationSettings.Apple? {
        let applications = several("applications") { setting throws(Setting.Mismatch) in
            try setting.asAppleApplication()
        }
        let environment = choice("environment", default: AppAttestEnvironment.production)
        let roots = contents("roots-file")
        guard let applications, let roots else { return nil }
        var apple = AppAttestationSettings.Apple(applications: Set(applications), roots: roots)
        apple.isDevelopment = environment == .development
        return apple
    }

    private mutating func readAndroid() -> AppAttestationSettings.Android? {
        let packages = several("packages") { setting throws(Setting.Mismatch) in try setting.asText() }
        let signers = several("signers") { setting throws(Setting.Mismatch) in try setting.asSigner() }
        let roots = contents("roots-file")
        let revocations = has("revoked-serials-file") ? contents("revoked-serials-file") : nil
        let device = readDevice()
        guard let packages, let signers, let roots else { return nil }
        var android = AppAttestationSettings.Android(
            packages: Set(packages), signers: Set(signers), roots: roots, revocations: revocations)
        android.device = device
        return android
    }

    private mutating func readDevice() -> AndroidDeviceDemand {
        var device = AndroidDeviceDemand()
        let level = choice("security-level", default: AndroidPlace.trustedEnvironment)
        device.isStrongBoxRequired = level == .strongBox
        device.isVerifiedBootRequired = flag("verified-boot", default: device.isVerifiedBootRequired)
        device.isRollbackResistanceRequired = flag("rollback-resistance", default: device.isRollbackResistanceRequired)
        device.oldestPatchLevel = value("oldest-patch-level") { setting throws(Setting.Mismatch) in
            let number = try setting.asInteger(in: 0...Int.max)
            guard AndroidDeviceDemand.isPatchLevel(number) else { throw .rule("must be year and month such as 202601") }
            return number
        }
        device.patchAge = value("patch-age-months") { setting throws(Setting.Mismatch) in
            try setting.asInteger(in: AndroidDeviceDemand.patchAges)
        }
        return device
    }

    /// A list that must have an element.
    private mutating func several<Value>(
        _ key: String, _ convert: (Setting) throws(Setting.Mismatch) -> Value
    ) -> [Value]? {
        let problemCount = session.problems.count
        let given = values(key, convert)
        if let given, !given.isEmpty { return given }
        // A list whose elements are all wrong has been reported already.
        if session.problems.count == problemCount { report(key, .missing) }
        return nil
    }

    private mutating func contents(_ key: String) -> [UInt8]? {
        guard let path = path(key) else {
            if !has(key) { report(key, .missing) }
            return nil
        }
        guard let octets = session.source.files.contents(of: path) else {
            report(key, .unreadableFile(path: path))
            return nil
        }
        return octets
    }
}

extension Setting {
    /// The value as an application of Apple's platforms: the ten characters of the team, a full stop, the bundle.
    fileprivate func asAppleApplication() throws(Mismatch) -> String {
        let text = try asText()
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isTeam = { (text: Substring) in
            text.utf8.count == 10 && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
        }
        guard parts.count == 2, isTeam(parts[0]), !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 > 0x20 }) else {
            throw .rule("must be team and bundle such as ABCDE12345.com.example.app")
        }
        return text
    }

    /// The value as the SHA-256 digest of a certificate.
    fileprivate func asSigner() throws(Mismatch) -> [UInt8] {
        guard let digest = AppAttestationSettings.Android.signer(try asText()) else {
            throw .rule("must be the SHA-256 digest of a certificate: 64 hexadecimal digits, with or without colons")
        }
        return digest
    }
}

/// The words of `app-attestation.android.security-level`.
private enum AndroidPlace: String, CaseIterable {
    case trustedEnvironment = "trusted-environment"
    case strongBox = "strongbox"
}

/// The words of `app-attestation.apple.environment`.
private enum AppAttestEnvironment: String, CaseIterable {
    case production, development
}
