import Octets
import OpenID
import ServerCore
import StrictYAML

extension SectionReader {
    /// The sections `openid`, `receipts`, `webhooks`, `outgoing`, `relying-party-api`, `pages` and `recovery`; `audience` is the
    /// audience of the backend's tokens, and no client may have its name.
    mutating func readWebSites(audience: String?) -> OpenIDSettings {
        var settings = OpenIDSettings()
        settings.openID = section("openid") { $0.readOpenID(audience: audience, idle: &settings.idleClients) }
        settings.receipts = section("receipts") { $0.readReceipts() }
        settings.webhooks = readWebhooks()
        settings.outgoing = section("outgoing") { $0.readOutgoing() }
        (settings.hasRelyingPartyAPI, settings.hasOwnUsers) = section("relying-party-api") { section in
            (section.flag("enabled", default: false), section.flag("own-users", default: false))
        }
        settings.pages = section("pages") { $0.readPages() }
        let hasPages = settings.openID != nil && settings.pages.hasMyDevices
        settings.recovery = section("recovery") { $0.readRecovery(hasPages: hasPages) }
        return settings
    }

    /// The section `openid`; nil when it is switched off, which it is by default: its clients are then `idle`.
    private mutating func readOpenID(audience: String?, idle: inout [ClientID]) -> OpenIDSettings.Provider? {
        var openID = OpenIDSettings.Provider()
        let isEnabled = flag("enabled", default: false)
        openID.sessionLifetime = duration(
            "session-lifetime", in: .seconds(60)...(.seconds(1_800)), default: openID.sessionLifetime)
        openID.openSessionLimit = integer("max-open-sessions", in: 100...1_000_000, default: openID.openSessionLimit)
        openID.networkLimits = section("sign-in-pages") { $0.readNetworkLimits() }
        openID.codeLifetime = duration("code-lifetime", in: .seconds(10)...(.seconds(60)), default: openID.codeLifetime)
        openID.pushedRequestLifetime = duration(
            "pushed-request-lifetime", in: .seconds(10)...(.seconds(600)), default: openID.pushedRequestLifetime)
        openID.tokenLifetime = duration(
            "token-lifetime", in: .seconds(60)...(.seconds(3_600)), default: openID.tokenLifetime)
        openID.refreshLifetime = duration(
            "refresh-lifetime", in: .seconds(3_600)...(.seconds(90 * 86_400)), default: openID.refreshLifetime)
        openID.browserSessionLifetime = duration(
            "browser-session-lifetime", in: .zero...(.seconds(86_400)), default: openID.browserSessionLifetime)
        openID.codeRotation = duration(
            "code-rotation", in: .seconds(15)...(.seconds(120)), default: openID.codeRotation)
        openID.backchannelLifetime = duration(
            "backchannel-lifetime", in: .seconds(10)...(.seconds(600)), default: openID.backchannelLifetime)
        openID.hasBackchannelDigits = flag("backchannel-digits", default: openID.hasBackchannelDigits)
        openID.hasSignInText = flag("sign-in-text", default: openID.hasSignInText)
        openID.bindsSessions = flag("device-bound-sessions", default: openID.bindsSessions)
        openID.passkeys = section("passkeys") { $0.readPasskeys() }
        openID.clients = readClients(audience: audience)
        if !isEnabled { idle = openID.clients.map(\.id) }
        return isEnabled ? openID : nil
    }

    private mutating func readNetworkLimits() -> OpenIDSettings.NetworkLimits {
        var limits = OpenIDSettings.NetworkLimits()
        limits.perIPv4 = integer("per-ipv4", in: 10...1_000_000, default: limits.perIPv4)
        limits.per64 = integer("per-64", in: 10...1_000_000, default: limits.per64)
        limits.per56 = integer("per-56", in: 10...1_000_000, default: limits.per56)
        limits.per48 = integer("per-48", in: 10...1_000_000, default: limits.per48)
        return limits
    }

    private mutating func readReceipts() -> ReceiptSettings {
        var receipts = ReceiptSettings()
        receipts.isEnabled = flag("enabled", default: receipts.isEnabled)
        receipts.retention = duration(
            "retention", in: .seconds(86_400)...(.seconds(30 * 366 * 86_400)), default: receipts.retention)
        return receipts
    }

    private mutating func readPages() -> OpenIDSettings.Pages {
        var pages = OpenIDSettings.Pages()
        if let name = text("service-name") {
            if (1...64).contains(name.count) {
                pages.serviceName = name
            } else {
                report("service-name", .notAllowed(rule: "must have 1 to 64 characters"))
            }
        }
        pages.language = choice("language", default: LanguageWord.en).rawValue
        pages.hasMyDevices = flag("my-devices", default: pages.hasMyDevices)
        pages.announcesNewDevices = flag("announce-new-devices", default: pages.announcesNewDevices)
        pages.theme = section("theme") { $0.readTheme() }
        return pages
    }

    private mutating func readRecovery(hasPages: Bool) -> OpenIDSettings.Recovery {
        var recovery = OpenIDSettings.Recovery()
        recovery.isEnabled = flag("enabled", default: recovery.isEnabled)
        if recovery.isEnabled, !hasPages {
            report(
                "enabled", .notAllowed(rule: "needs openid.enabled and pages.my-devices, where people make their codes")
            )
        }
        recovery.wait = duration("wait", in: .seconds(3_600)...(.seconds(7 * 86_400)), default: recovery.wait)
        return recovery
    }

    private mutating func readOutgoing() -> OpenIDSettings.Outgoing {
        var outgoing = OpenIDSettings.Outgoing()
        outgoing.rules.allowedNetworks =
            values("allowed-networks") { setting throws(Setting.Mismatch) in try setting.asNetwork() } ?? []
        outgoing.rules.authorityFiles = (texts("authority-files") ?? []).map { session.source.absolute($0) }
        outgoing.rules.timeout = duration(
            "timeout", in: .seconds(1)...(.seconds(60)), default: outgoing.rules.timeout)
        let waits = values("retries") { setting throws(Setting.Mismatch) in
            try setting.asDuration(in: .seconds(1)...(.seconds(7 * 86_400)))
        }
        if let waits, waits.count > 20 { report("retries", .notAllowed(rule: "must have at most 20 waits")) }
        outgoing.retries = waits ?? outgoing.retries
        outgoing.deadLetterRetention = duration(
            "dead-letter-retention", in: .seconds(3_600)...(.seconds(90 * 86_400)),
            default: outgoing.deadLetterRetention)
        outgoing.parallelLimit = integer("parallel", in: 1...64, default: outgoing.parallelLimit)
        return outgoing
    }

    // MARK: - Webhooks

    private mutating func readWebhooks() -> [OpenIDSettings.Webhook] {
        var names: Set<AccessKeyName> = []
        return sectionList("webhooks") { section -> OpenIDSettings.Webhook? in
            guard let webhook = section.readWebhook() else { return nil }
            if !names.insert(webhook.name).inserted {
                section.report("name", .notAllowed(rule: "there is another webhook of this name"))
            }
            return webhook
        }.compactMap { $0 }
    }

    private mutating func readWebhook() -> OpenIDSettings.Webhook? {
        let name = value("name") { setting throws(Setting.Mismatch) in try setting.asWebhookName() }
        let address = value("address") { setting throws(Setting.Mismatch) in try setting.asOutgoingAddress() }
        let events = values("events") { setting throws(Setting.Mismatch) in
            try setting.asChoice(OpenIDSettings.Webhook.Event.self)
        }
        let file = secretFilePath("secret-file")
        for key in ["name", "address", "events", "secret-file"] where !has(key) { report(key, .missing) }
        guard let name, let address, let events, let file, let content = session.source.files.contents(of: file) else {
            return nil
        }
        guard !events.isEmpty else {
            report("events", .notAllowed(rule: "must name an event"))
            return nil
        }
        guard let secret = Self.webhookSecret(content) else {
            report("secret-file", .notAllowed(rule: "must hold whsec_ and base64 of 24 to 64 octets"))
            return nil
        }
        return OpenIDSettings.Webhook(name: name, address: address, events: Set(events), secret: Sensitive(secret))
    }

    private static func webhookSecret(_ content: [UInt8]) -> [UInt8]? {
        guard let text = secretText(content), text.utf8.starts(with: "whsec_".utf8),
            let octets = try? Base64.decode(String(text.dropFirst(6))), (24...64).contains(octets.count)
        else { return nil }
        return octets
    }
}

/// The words of `pages.language`.
private enum LanguageWord: String, CaseIterable {
    case en, de, fr, it
}

extension Setting {
    fileprivate func asWebhookName() throws(Mismatch) -> AccessKeyName {
        guard let name = AccessKeyName(try asText()) else {
            throw .rule("the name of a webhook has letters, digits, dot, underscore and hyphen")
        }
        return name
    }

    func asOutgoingAddress() throws(Mismatch) -> OutgoingAddress {
        guard let address = OutgoingAddress(try asText()) else {
            throw .rule("must be \(OutgoingAddress.rule)")
        }
        return address
    }
}
