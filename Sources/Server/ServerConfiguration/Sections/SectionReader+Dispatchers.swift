import ServerCore
import StrictYAML

extension SectionReader {
    /// The list `dispatchers` of the FIDO UAF section; without it the development profile has the dispatchers that need
    /// nothing from outside.
    mutating func readDispatchers(profile: Deployment.Profile) -> [DispatcherSettings] {
        var kinds: Set<DispatcherKind> = []
        let dispatchers = sectionList("dispatchers") { section -> DispatcherSettings? in
            guard let kind = section.readKind() else { return nil }
            if !kinds.insert(kind).inserted { section.report("type", .notAllowed(rule: "there is one of each type")) }
            return section.readDispatcher(kind, profile: profile)
        }
        guard has("dispatchers") else { return profile == .development ? DispatcherSettings.trial : [] }
        return dispatchers.compactMap { $0 }
    }

    private mutating func readKind() -> DispatcherKind? {
        let kind = value("type") { setting throws(Setting.Mismatch) in try setting.asChoice(DispatcherKind.self) }
        guard kind == nil else { return kind }
        if !has("type") { report("type", .missing) }
        // The other settings belong to an unknown type: one problem is enough.
        for key in DispatcherKind.keys { _ = setting(key) }
        return nil
    }

    private mutating func readDispatcher(
        _ kind: DispatcherKind, profile: Deployment.Profile
    ) -> DispatcherSettings? {
        let channel: DispatcherSettings.Channel? =
            switch kind {
            case .firebaseCloudMessaging: readFirebase().map { .firebaseCloudMessaging($0) }
            case .link: readLinkAddress("base-url", allowsLoopback: readLoopback(profile: profile)).map { .link($0) }
            case .pngQRCode: .pngQRCode
            case .linkPNGQRCode: readLinkAddress("link-base-url").map { .linkPNGQRCode($0) }
            }
        let addresses = readRedeemAddresses()
        let requiresEncryption =
            kind == .firebaseCloudMessaging || flag("require-encryption", default: false)
        guard let channel else { return nil }
        var settings = DispatcherSettings(channel)
        settings.redeemAddresses = addresses
        settings.requiresEncryption = requiresEncryption
        return settings
    }

    /// Whether links may lead to a phone page of this machine, which is for trials.
    private mutating func readLoopback(profile: Deployment.Profile) -> Bool {
        let allows = flag("allow-loopback", default: false)
        guard allows, profile == .production else { return allows }
        report("allow-loopback", .notAllowed(rule: "is for trials, and not allowed in the production profile"))
        return false
    }

    private mutating func readLinkAddress(_ key: String, allowsLoopback: Bool = false) -> LinkAddress? {
        let address = value(key) { setting throws(Setting.Mismatch) in
            try setting.asLinkAddress(allowsLoopback: allowsLoopback)
        }
        if !has(key) { report(key, .missing) }
        return address
    }

    private mutating func readRedeemAddresses() -> RedeemAddresses {
        var addresses = RedeemAddresses()
        addresses.registration = readURL("registration-redeem-url")
        addresses.authentication = readURL("authentication-redeem-url")
        addresses.deregistration = readURL("deregistration-redeem-url")
        return addresses
    }

    private mutating func readURL(_ key: String) -> String? {
        value(key) { setting throws(Setting.Mismatch) in try setting.asHTTPSURL() }
    }

    // MARK: - Firebase Cloud Messaging

    private mutating func readFirebase() -> FirebaseSettings? {
        let file = secretFilePath("service-account-json")
        if !has("service-account-json") { report("service-account-json", .missing) }
        var settings = FirebaseSettings(serviceAccountFile: file ?? "")
        settings.isDryRun = flag("dry-run", default: settings.isDryRun)
        let endpoint = value("endpoint-base-url") { setting throws(Setting.Mismatch) in try setting.asEndpoint() }
        settings.endpoint = endpoint ?? settings.endpoint
        settings.tokenEndpoint = readURL("token-url")
        settings.removesUnregisteredClients = flag(
            "remove-unregistered-clients", default: settings.removesUnregisteredClients)
        settings.proxy = readProxy()
        settings.trustedCertificatesFile = filePath("trusted-certificates-file")
        return file == nil ? nil : settings
    }

    private mutating func readProxy() -> PushProxy? {
        var proxy = value("proxy-url") { setting throws(Setting.Mismatch) in try setting.asProxy() }
        let (user, password) = (text("proxy-user"), text("proxy-password"))
        if (user ?? password) != nil && !has("proxy-url") { report("proxy-url", .missing) }
        switch (user, password) {
        case (let user?, _) where user.contains(":"):
            report("proxy-user", .notAllowed(rule: "must have no colon"))
        case (let user?, let password?): proxy?.login = .init(user: user, password: password)
        case (.some, nil): report("proxy-password", .missing)
        case (nil, .some): report("proxy-user", .missing)
        case (nil, nil): break
        }
        return proxy
    }
}

/// The words of `type`, which are also the names in the interface.
private enum DispatcherKind: String, CaseIterable {
    case firebaseCloudMessaging = "firebase-cloud-messaging"
    case link
    case pngQRCode = "png-qr-code"
    case linkPNGQRCode = "link-png-qr-code"

    /// Every other key that a dispatcher can have.
    static let keys = [
        "base-url", "allow-loopback", "link-base-url", "require-encryption", "registration-redeem-url",
        "authentication-redeem-url",
        "deregistration-redeem-url", "service-account-json", "dry-run", "endpoint-base-url", "token-url",
        "remove-unregistered-clients", "proxy-url", "proxy-user", "proxy-password", "trusted-certificates-file",
    ]
}

extension Setting {
    func asLinkAddress(allowsLoopback: Bool) throws(Mismatch) -> LinkAddress {
        guard let address = LinkAddress(try asText(), allowsLoopback: allowsLoopback) else {
            let loopback = allowsLoopback ? ", or http://127.0.0.1:PORT/PATH (any address of 127/8)" : ""
            throw .rule("must be an https URL or one with a scheme of the application, without a fragment" + loopback)
        }
        return address
    }

    /// The value as the origin of the push service; a bare host name stands for https.
    func asEndpoint() throws(Mismatch) -> String {
        let text = try asText()
        guard !text.contains("://") else { return try asHTTPSOrigin() }
        let isHost = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._:[]".utf8.contains(byte)
            }
        }
        guard isHost, text.utf8.count <= 300 else { throw .rule("must be an https origin or a host name") }
        return "https://" + text
    }

    /// The value as an HTTP proxy such as `http://proxy.example.com:3128`.
    func asProxy() throws(Mismatch) -> PushProxy {
        let text = try asText()
        let (prefix, rule) = ("http://", "must be http://HOST:PORT, without a user and a path")
        guard text.hasPrefix(prefix) else { throw .rule(rule) }
        let place = try Self.place(text.dropFirst(prefix.count), rule)
        return PushProxy(host: place.host, port: place.port)
    }

    /// The value as a host name or an address with a port.
    func asHostAndPort() throws(Mismatch) -> (host: String, port: Int) {
        try Self.place(Substring(try asText()), "must be HOST:PORT, such as logs.example.com:6514")
    }

    /// The host has no brackets.
    private static func place(_ authority: Substring, _ rule: String) throws(Mismatch) -> (host: String, port: Int) {
        let mismatch = Mismatch.rule(rule)
        guard authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw mismatch }
        guard let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[authority.index(after: colon)...]),
            port > 0
        else { throw mismatch }
        let host = authority[..<colon]
        guard !host.isEmpty, !host.contains(where: { "/?#@\\".contains($0) }) else { throw mismatch }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        guard isBracketed || !host.contains(where: { "[]:".contains($0) }) else { throw mismatch }
        return (String(isBracketed ? host.dropFirst().dropLast() : host), Int(port))
    }
}
