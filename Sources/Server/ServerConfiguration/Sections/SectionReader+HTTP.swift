import LoadControl
import Octets
import ServerCore
import StrictYAML

extension SectionReader {
    mutating func readServer(into http: inout HTTPSettings, profile: Deployment.Profile) {
        http.service = readAddress(default: http.service)
        http.publicOrigin = value("public-url") { setting throws(Setting.Mismatch) in try setting.asHTTPSOrigin() }
        let isPlain = choice("protocol", default: ListenerProtocol.https) == .http
        let certificate = section("tls") { $0.readCertificate() }
        if isPlain {
            http.security = .plain
            requirePlainIsSafe(http, profile: profile, hasCertificate: certificate != nil)
        } else if let certificate {
            http.security = certificate
        } else if !http.service.isLoopback {
            report("tls", .notAllowed(rule: "a listener outside loopback needs certificate-file and private-key-file"))
        }
        if !http.service.isLoopback && http.publicOrigin == nil && !has("public-url") {
            report("public-url", .notAllowed(rule: Self.publicURLRule))
        }
        http.limits.drainTime = duration(
            "drain-time", in: .zero...(.seconds(300)), default: profile == .production ? .seconds(5) : .zero)
        readProxies(into: &http.proxies)
        readLimits(into: &http.limits)
    }

    private mutating func readProxies(into proxies: inout ProxySettings) {
        proxies.trusted =
            values("trusted-proxies") { setting throws(Setting.Mismatch) in try setting.asNetwork() } ?? []
        proxies.preamble = choice("proxy-protocol", default: .none)
        if proxies.preamble != .none && proxies.trusted.isEmpty {
            report("proxy-protocol", .notAllowed(rule: "needs trusted-proxies, from which alone it is accepted"))
        }
    }

    mutating func readAddress(default standard: ListenerAddress) -> ListenerAddress {
        ListenerAddress(
            host: text("host") ?? standard.host, port: integer("port", in: 0...65_535, default: standard.port))
    }

    /// The section `tls` of a listener; nil when it names no certificate.
    mutating func readCertificate() -> TransportSecurity? {
        let chain = filePath("certificate-file")
        let key = privateKeyPath()
        switch (chain, key) {
        case (let chain?, let key?): return .certificate(chainFile: chain, privateKeyFile: key)
        case (.some, nil) where !has("private-key-file"):
            report("private-key-file", .missing)
            return nil
        case (nil, .some) where !has("certificate-file"):
            report("certificate-file", .missing)
            return nil
        default: return nil
        }
    }

    /// The path of the key; a certificate in its place is named as what it is, not as an exposed secret.
    private mutating func privateKeyPath() -> String? {
        guard let path = path("private-key-file") else { return nil }
        if let bytes = session.source.files.contents(of: path) {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("-----BEGIN CERTIFICATE-----") && !text.contains("PRIVATE KEY-----") {
                report(
                    "private-key-file",
                    .notAllowed(
                        rule: "\(path) holds a certificate and no private key: are certificate-file and "
                            + "private-key-file swapped?"))
                return nil
            }
        }
        return secretFilePath("private-key-file")
    }

    private static let publicURLRule =
        "must be given: the https address at which phones reach this server, such as https://login.example.com; "
        + "the server cannot guess it for a listener that other machines reach"

    private func requirePlainIsSafe(_ http: HTTPSettings, profile: Deployment.Profile, hasCertificate: Bool) {
        if !http.service.isLoopback {
            report("protocol", .notAllowed(rule: "http is for loopback addresses only; use https"))
        } else if hasCertificate {
            report("protocol", .notAllowed(rule: "http and a certificate contradict each other"))
        } else if profile == .production && http.publicOrigin == nil {
            report("public-url", .notAllowed(rule: Self.publicURLRule))
        }
    }

    private mutating func readLimits(into limits: inout RequestLimits) {
        limits.idleTime = duration(
            "connection-timeout", in: .seconds(1)...(.seconds(600)), default: limits.idleTime)
        limits.bodyTime = duration("body-timeout", in: .seconds(1)...(.seconds(120)), default: limits.bodyTime)
        limits.stopTime = duration("stop-timeout", in: .seconds(1)...(.seconds(600)), default: limits.stopTime)
        limits.connectionCount = integer("max-connections", in: 1...1_000_000, default: limits.connectionCount)
        limits.connectionCountPerAddress = value("max-connections-per-address") { setting throws(Setting.Mismatch) in
            try setting.asInteger(in: 1...1_000_000)
        }
        section("overload") { $0.readOverload(into: &limits.overload) }
        section("rate-limit") { section in
            limits.perAddress = section.section("per-address") { $0.readRate(default: limits.perAddress) }
            limits.perUser = section.section("per-user") { $0.readRate(default: limits.perUser) }
        }
    }

    private mutating func readOverload(into overload: inout OverloadSettings) {
        overload.answerTime = duration(
            "request-timeout", in: .milliseconds(100)...(.seconds(60)), default: overload.answerTime)
        overload.inFlight = integer("max-in-flight", in: 1...100_000, default: overload.inFlight)
        overload.leastInFlight = integer(
            "min-in-flight", in: 1...100_000, default: min(overload.leastInFlight, overload.inFlight))
        if overload.leastInFlight > overload.inFlight {
            report("min-in-flight", .notAllowed(rule: "must not be above max-in-flight"))
        }
        overload.commitLatency = duration(
            "commit-latency", in: .milliseconds(1)...(.seconds(60)), default: overload.commitLatency)
        overload.dispatchLatency = duration(
            "dispatch-latency", in: .milliseconds(1)...(.seconds(60)), default: overload.dispatchLatency)
        overload.commitQueue = integer("commit-queue", in: 1...100_000, default: overload.commitQueue)
        overload.deliveries = integer("push-deliveries", in: 1...100_000, default: overload.deliveries)
        overload.statusWaits = integer("status-waits", in: 0...1_000_000, default: overload.statusWaits)
    }

    private mutating func readRate(default standard: RateLimit) -> RateLimit {
        RateLimit(
            perSecond: integer("per-second", in: 1...1_000_000, default: standard.perSecond),
            burst: integer("burst", in: 1...1_000_000, default: standard.burst))
    }
}

extension SectionReader {
    /// The setting `audit.retention`, between a day and a hundred years; nil when it is absent.
    mutating func readRetention() -> Duration? {
        value("retention") { setting throws(Setting.Mismatch) in
            try setting.asDuration(in: .seconds(86_400)...(.seconds(3_153_600_000)))
        }
    }

    /// The section `syslog`; nil without it.
    mutating func readSyslog() -> SyslogSettings? {
        guard has("syslog") else { return nil }
        return section("syslog") { section -> SyslogSettings? in
            let place = section.value("address") { setting throws(Setting.Mismatch) in try setting.asHostAndPort() }
            let authority = section.filePath("authority-file")
            for key in ["address", "authority-file"] where !section.has(key) { section.report(key, .missing) }
            let certificate = section.filePath("certificate-file")
            let key = section.secretFilePath("private-key-file")
            for (one, other) in [("certificate-file", "private-key-file"), ("private-key-file", "certificate-file")]
            where section.has(one) && !section.has(other) { section.report(other, .missing) }
            guard let place, let authority else { return nil }
            let client = certificate.flatMap { certificate in
                key.map { SyslogSettings.Client(certificateFile: certificate, privateKeyFile: $0) }
            }
            return SyslogSettings(host: place.host, port: place.port, authorityFile: authority, client: client)
        }
    }
}

extension Setting {
    /// The value as a network such as `10.0.0.0/8` or `2001:db8::/32`; an address alone is a network of one.
    func asNetwork() throws(Mismatch) -> IPNetwork {
        guard let network = IPNetwork(try asText()) else {
            throw .rule("must be a network such as 10.0.0.0/8 or 2001:db8::/32, with no bits set after its prefix")
        }
        return network
    }
}

/// The words of `server.protocol`.
private enum ListenerProtocol: String, CaseIterable {
    case https, http
}
