import ServerCore
import StrictYAML
import UAF

extension SectionReader {
    mutating func readOutOfBand() -> OutOfBandSettings {
        var settings = OutOfBandSettings(origin: "")
        for operation in OperationKind.allCases {
            settings.tokenLifetimes[operation] = duration(
                operation.lifetimeKey, in: OutOfBandSettings.tokenLifetimes,
                default: settings.tokenLifetime(operation))
        }
        settings.retention = duration(
            "status-retention", in: .seconds(10)...(.seconds(3_600)), default: settings.retention)
        settings.statusWait = duration("status-wait", in: .zero...(.seconds(60)), default: settings.statusWait)
        settings.requiresEncryption = flag("require-encryption", default: settings.requiresEncryption)
        settings.dispatchProtection = choice("dispatch-authorization", default: settings.dispatchProtection)
        settings.statusProtection = choice("status-authorization", default: settings.statusProtection)
        settings.maximumTargetCount = integer("max-targets", in: 1...100, default: settings.maximumTargetCount)
        settings.linking = section("channel-linking") { $0.readLinking() }
        settings.limits = section("limits") { $0.readOperationLimits() }
        if has("quiet-hours") { settings.limits.quietHours = section("quiet-hours") { $0.readQuietHours() } }
        section("device-requests") { $0.readDeviceRequests(into: &settings) }
        settings.accessKeys = readAccessKeys()
        return settings
    }

    private mutating func readLinking() -> LinkingPolicy {
        var policy = LinkingPolicy()
        policy.weakest = choice("weakest", default: policy.weakest)
        policy.weakestPush = choice("weakest-push", default: policy.weakestPush)
        policy.push = choice("push", default: policy.push)
        policy.scan = choice(
            "scan", default: policy.allows(policy.scan, forPush: false) ? policy.scan : policy.weakest)
        policy.digitCount = integer("digits", in: 2...8, default: policy.digitCount)
        for (key, mode) in [("push", policy.push), ("scan", policy.scan)]
        where !policy.allows(mode, forPush: key == "push") {
            report(key, .notAllowed(rule: "is weaker than 'weakest' or 'weakest-push' allows"))
        }
        return policy
    }

    private mutating func readOperationLimits() -> OperationLimits {
        var limits = OperationLimits()
        limits.window = duration("window", in: .seconds(10)...(.seconds(86_400)), default: limits.window)
        limits.pushes = integer("pushes", in: 1...1_000_000, default: limits.pushes)
        limits.backOff.firstWait = duration(
            "push-back-off", in: .zero...(.seconds(3_600)), default: limits.backOff.firstWait)
        limits.wrongDigits = integer("wrong-digits", in: 1...100, default: limits.wrongDigits)
        limits.reports = integer("reports", in: 1...100, default: limits.reports)
        limits.pendingLinks = integer("pending-links", in: 1...100, default: limits.pendingLinks)
        limits.hasOnePending = flag("one-pending-operation", default: limits.hasOnePending)
        return limits
    }

    private mutating func readQuietHours() -> QuietHours? {
        let start = value("from") { setting throws(Setting.Mismatch) in try setting.asTimeOfDay() }
        let end = value("to") { setting throws(Setting.Mismatch) in try setting.asTimeOfDay() }
        let offset = value("utc-offset") { setting throws(Setting.Mismatch) in try setting.asUTCOffset() }
        for key in ["from", "to"] where !has(key) { report(key, .missing) }
        guard let start, let end else { return nil }
        guard let hours = QuietHours(from: start, to: end, offset: offset) else {
            report("to", .notAllowed(rule: "is the same as 'from'"))
            return nil
        }
        return hours
    }

    private mutating func readDeviceRequests(into settings: inout OutOfBandSettings) {
        settings.requestAge = duration("max-age", in: .seconds(10)...(.seconds(3_600)), default: settings.requestAge)
        settings.clockLead = duration("clock-lead", in: .seconds(1)...(.seconds(3_600)), default: settings.clockLead)
        settings.requiresAudience = flag("require-audience", default: settings.requiresAudience)
    }

    // MARK: - Access keys

    private mutating func readAccessKeys() -> [AccessKey] {
        var names: Set<AccessKeyName> = []
        return sectionList("access-keys") { section -> AccessKey? in
            guard let key = section.readAccessKey() else { return nil }
            if !names.insert(key.name).inserted {
                section.report("name", .notAllowed(rule: "there is another access key of this name"))
            }
            return key
        }.compactMap { $0 }
    }

    private mutating func readAccessKey() -> AccessKey? {
        let name = value("name") { setting throws(Setting.Mismatch) in try setting.asAccessKeyName() }
        if !has("name") { report("name", .missing) }
        let file = secretFilePath("key-file")
        if !has("key-file") { report("key-file", .missing) }
        let rights = readRights()
        guard let name, let file, let content = session.source.files.contents(of: file) else { return nil }
        guard let text = Self.secretText(content), var key = AccessKey(name: name, key: text) else {
            report("key-file", .notAllowed(rule: "must hold a key of 32 to 512 characters"))
            return nil
        }
        key.rights = rights
        return key
    }

    private mutating func readRights() -> AccessKeyRights {
        var rights = AccessKeyRights()
        let scopes = values("scopes") { setting throws(Setting.Mismatch) in
            try setting.asChoice(AccessKeyScope.self)
        }
        if let scopes { rights.scopes = Set(scopes) }
        if !rights.roles.isEmpty && rights.roles.count != rights.scopes.count {
            report(
                "scopes",
                .notAllowed(rule: "a key of an administrator opens nothing else: give it scopes of administration only")
            )
        }
        rights.limit.perSecond = integer("requests-per-second", in: 1...100_000, default: rights.limit.perSecond)
        rights.limit.burst = integer(
            "burst", in: 1...1_000_000, default: max(rights.limit.burst, rights.limit.perSecond))
        return rights
    }

    /// Text of a file with a secret, without a line end that an editor has added; nil when it is not UTF-8.
    static func secretText(_ content: [UInt8]) -> String? {
        let octets = Array(content.reversed().drop { [0x0A, 0x0D, 0x20].contains($0) }.reversed())
        return String(validating: octets, as: UTF8.self)
    }
}

extension OperationKind {
    fileprivate var lifetimeKey: String {
        switch self {
        case .registration: "registration-token-lifetime"
        case .authentication: "authentication-token-lifetime"
        case .deregistration: "deregistration-token-lifetime"
        }
    }
}

extension Setting {
    fileprivate func asAccessKeyName() throws(Mismatch) -> AccessKeyName {
        guard let name = AccessKeyName(try asText()) else {
            throw .rule("the name of an access key has letters, digits, dot, underscore and hyphen")
        }
        return name
    }
}

extension Setting {
    /// The value as a time of the day such as `22:30`, in minutes.
    func asTimeOfDay() throws(Mismatch) -> Int {
        guard let minute = Self.minutes(try asText()), minute < QuietHours.minutesPerDay else {
            throw .rule("must be a time of the day in quotes, such as \"22:30\"")
        }
        return minute
    }

    /// The value as a difference from UTC such as `+01:00`, in minutes.
    func asUTCOffset() throws(Mismatch) -> Int {
        let text = try asText()
        let isBehind = text.hasPrefix("-")
        guard isBehind || text.hasPrefix("+"), let amount = Self.minutes(String(text.dropFirst())),
            QuietHours.offsets.contains(isBehind ? -amount : amount)
        else { throw .rule("must be a difference from UTC in quotes, such as \"+01:00\"") }
        return isBehind ? -amount : amount
    }

    /// Hours and minutes of two digits each; nil for anything else.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isDigit) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
}
