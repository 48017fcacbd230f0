import LoadControl
import Octets
import ServerConfiguration
import ServerCore
import Testing

@Suite("Configuration file: listeners and certificates")
struct ListenerRuleTests {
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/chain.pem": ("", 0o644), "/etc/signet/key.pem": ("", 0o600),
        "/etc/signet/open.pem": ("", 0o640),
    ]

    @Test("A certificate is taken with its key")
    func certificate() throws {
        let deployment = try read(
            "server: {host: 0.0.0.0, public-url: \"https://a.example\", "
                + "tls: {certificate-file: chain.pem, private-key-file: key.pem}}",
            files: Self.files)
        #expect(
            deployment.http.security
                == .certificate(chainFile: "/etc/signet/chain.pem", privateKeyFile: "/etc/signet/key.pem"))
    }

    @Test(
        "A certificate is refused without its key, and a key without its certificate",
        arguments: ["certificate-file: chain.pem", "private-key-file: key.pem"])
    func half(setting: String) {
        #expect(problems("server: {tls: {\(setting)}}", files: Self.files).first?.hasSuffix("must be given") == true)
    }

    @Test("A private key that others can read is refused")
    func exposedKey() {
        let found = problems(
            "server: {tls: {certificate-file: chain.pem, private-key-file: open.pem}}", files: Self.files)
        #expect(found.count == 1)
        #expect(found.first?.contains("/etc/signet/open.pem holds a secret but has mode 0640") == true)
    }

    @Test("A certificate that is not there is refused")
    func absentFile() {
        let found = problems("server: {tls: {certificate-file: no.pem, private-key-file: key.pem}}", files: Self.files)
        #expect(found.first?.hasSuffix("cannot read /etc/signet/no.pem") == true)
    }

    @Test("Plain HTTP is taken on loopback", arguments: ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
    func plainLoopback(host: String) throws {
        #expect(try read("server: {protocol: http, host: \"\(host)\"}").http.security == .plain)
    }

    @Test("Plain HTTP is refused elsewhere", arguments: ["0.0.0.0", "::", "192.168.1.1", "127.0.0.1.example.com"])
    func plainElsewhere(host: String) {
        let found = problems("server: {protocol: http, host: \"\(host)\"}")
        #expect(found.first?.hasSuffix("http is for loopback addresses only; use https") == true)
    }

    @Test("A listener outside loopback is refused without a certificate")
    func ownCertificateElsewhere() {
        #expect(problems("server: {host: 0.0.0.0, public-url: \"https://a.example\"}").count == 1)
    }

    @Test("A listener outside loopback is refused without a public URL")
    func noPublicOrigin() {
        let found = problems(
            "server: {host: 0.0.0.0, tls: {certificate-file: chain.pem, private-key-file: key.pem}}",
            files: Self.files)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("signet.yml:1:1: server.public-url: must be given: the https address") == true)
    }

    @Test("The public URL is an https origin")
    func publicOrigin() throws {
        #expect(try read("server: {public-url: \"https://a.example\"}").http.publicOrigin == "https://a.example")
        // Browsers leave the port of the scheme out of `Origin`.
        for (written, origin) in [
            ("https://a.example:443", "https://a.example"), ("https://a.example:", "https://a.example"),
            ("https://a.example:8443", "https://a.example:8443"), ("https://[::1]:443", "https://[::1]"),
            ("https://a.example:4430", "https://a.example:4430"),
        ] {
            #expect(try read("server: {public-url: \"\(written)\"}").http.publicOrigin == origin)
        }
        for refused in ["http://a.example", "https://", "https://a/", "https://u@a", "https://a?x", "a.example"] {
            #expect(problems("server: {public-url: \"\(refused)\"}").count == 1, "\(refused)")
        }
    }

    @Test("Limits are taken within their range")
    func limits() throws {
        let limits = try read(
            "server: {connection-timeout: 1m, rate-limit: {per-address: {per-second: 7, burst: 9}}}"
        ).http.limits
        #expect(limits.idleTime == .seconds(60))
        #expect(limits.perAddress.perSecond == 7)
        #expect(problems("server: {connection-timeout: 2h}").count == 1)
        #expect(problems("server: {rate-limit: {per-address: {burst: 0}}}").count == 1)
    }

    @Test("S-M10: the bounds of the queues and the latencies are taken, and have defaults that fit each other")
    func overload() throws {
        let standard = try read("server: {}").http.limits.overload
        #expect(standard == OverloadSettings() && standard.leastInFlight <= standard.inFlight)
        let given = try read(
            "server: {overload: {request-timeout: 3s, max-in-flight: 16, min-in-flight: 8, commit-latency: 100ms, "
                + "dispatch-latency: 20ms, commit-queue: 64, push-deliveries: 4, status-waits: 0}}"
        ).http.limits.overload
        #expect(given.answerTime == .seconds(3) && given.inFlight == 16 && given.leastInFlight == 8)
        #expect(given.commitLatency == .milliseconds(100) && given.dispatchLatency == .milliseconds(20))
        #expect(given.commitQueue == 64 && given.deliveries == 4 && given.statusWaits == 0)
        #expect(try read("server: {overload: {max-in-flight: 4}}").http.limits.overload.leastInFlight == 4)
    }

    @Test(
        "S-M10: a bound of nothing, a time of nothing and a least number above the highest are refused",
        arguments: [
            "request-timeout: 0s", "max-in-flight: 0", "commit-latency: 0ms", "dispatch-latency: 2m", "commit-queue: 0",
            "push-deliveries: 0", "status-waits: -1", "max-in-flight: 8, min-in-flight: 9",
        ])
    func overloadRanges(setting: String) {
        #expect(problems("server: {overload: {\(setting)}}").count == 1)
    }

    @Test("S-H3: the connections of one address are taken, and without the setting are a quarter of all")
    func connectionsPerAddress() throws {
        let given = try read("server: {max-connections: 60, max-connections-per-address: 7}").http.limits
        #expect(given.effectiveConnectionCountPerAddress == 7)
        #expect(try read("server: {max-connections: 60}").http.limits.effectiveConnectionCountPerAddress == 15)
        #expect(problems("server: {max-connections-per-address: 0}").count == 1)
    }

    @Test("S-H4: trusted proxies are networks")
    func trustedProxies() throws {
        let proxies = try read("server: {trusted-proxies: [10.0.0.0/8, \"2001:db8::/32\", 127.0.0.1]}").http.proxies
        #expect(proxies.trusted.map(\.description) == ["10.0.0.0/8", "2001:db8::/32", "127.0.0.1/32"])
        #expect(proxies.preamble == .none)
        for refused in ["10.0.0.1/8", "proxy.example.com", "10.0.0.0/33", "fe80::1%eth0"] {
            #expect(problems("server: {trusted-proxies: [\"\(refused)\"]}").count == 1, "\(refused)")
        }
    }

    @Test("S-H4: the PROXY protocol needs proxies that it is accepted from")
    func proxyProtocol() throws {
        let http = try read("server: {trusted-proxies: [10.0.0.1], proxy-protocol: v2}").http
        #expect(http.proxies.preamble == .v2)
        #expect(problems("server: {proxy-protocol: v2}").count == 1)
        #expect(problems("server: {trusted-proxies: [10.0.0.1], proxy-protocol: v1}").count == 1)
    }
}
