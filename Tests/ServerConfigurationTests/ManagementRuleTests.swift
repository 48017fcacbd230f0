import ServerConfiguration
import ServerCore
import Testing

@Suite("Configuration file: the listener for health and metrics")
struct ManagementRuleTests {
    private static let token = "canary-management-token-0123456789"
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/chain.pem": ("", 0o644), "/etc/signet/key.pem": ("", 0o600),
        "/etc/signet/token": (token + "\n", 0o600), "/etc/signet/open": (token, 0o644),
        "/etc/signet/short": ("short", 0o600),
    ]
    private static let tls = "tls: {certificate-file: chain.pem, private-key-file: key.pem}"

    private func management(_ settings: String) throws -> ManagementSettings {
        try read("management: {server: {\(settings)}}", files: Self.files).http.management
    }

    private func found(_ settings: String, environment: [String: String] = [:]) -> [String] {
        problems("management: {server: {\(settings)}}", environment: environment, files: Self.files)
    }

    @Test("On loopback it needs neither TLS nor a token", arguments: ["127.0.0.1", "::1", "localhost"])
    func loopback(host: String) throws {
        let settings = try management("host: \"\(host)\"")
        #expect(settings.security == .plain && settings.token == nil)
        #expect(settings.address == ListenerAddress(host: host, port: 9089))
    }

    @Test("Elsewhere it is taken with TLS and a token", arguments: ["0.0.0.0", "::", "10.0.0.11"])
    func elsewhere(host: String) throws {
        let settings = try management("host: \"\(host)\", \(Self.tls), token-file: token")
        #expect(
            settings.security
                == .certificate(chainFile: "/etc/signet/chain.pem", privateKeyFile: "/etc/signet/key.pem"))
        #expect(settings.token == ManagementSettings.Token(file: "/etc/signet/token", text: Self.token))
        #expect(!"\(settings)".contains("canary"))
    }

    @Test(
        "Elsewhere it is refused without one of them, and each that is missing is named",
        arguments: [
            ("", ["tls", "token-file"]), ("token-file: token", ["tls"]), (tls, ["token-file"]),
            ("tls: {}, token-file: token", ["tls"]),
        ])
    func unprotected(settings: String, missing: [String]) {
        let found = found("host: 0.0.0.0" + (settings.isEmpty ? "" : ", ") + settings)
        #expect(found.count == missing.count, "\(found)")
        for name in missing {
            #expect(found.contains { $0.contains("management.server.\(name): health and metrics on another address") })
        }
    }

    @Test("Half a certificate, an open token and a short one are each told once, as what they are")
    func unusable() {
        let half = found("host: 0.0.0.0, token-file: token, tls: {certificate-file: chain.pem}")
        #expect(half.count == 1 && half[0].contains("private-key-file: must be given"), "\(half)")
        let open = found("host: 0.0.0.0, \(Self.tls), token-file: open")
        #expect(open.count == 1 && open[0].contains("/etc/signet/open holds a secret but has mode 0644"), "\(open)")
        let short = found("host: 0.0.0.0, \(Self.tls), token-file: short")
        #expect(short.count == 1 && short[0].contains("must hold a token of 32 to 512 characters"), "\(short)")
        #expect(!(half + open + short).joined().contains("canary"))
    }

    @Test("A Unix socket is for the account of the server, or for its group as well")
    func socket() throws {
        #expect(try management("socket: run/m.sock").place == .socket(path: "/etc/signet/run/m.sock", access: .owner))
        let shared = try management("socket: /run/m.sock, socket-access: group, token-file: token")
        #expect(shared.place == .socket(path: "/run/m.sock", access: .group))
        #expect(shared.token != nil)
    }

    @Test(
        "A Unix socket is refused with host, port and TLS, its access without it, and a path that is too long",
        arguments: [
            "socket: /run/m.sock, host: 0.0.0.0", "socket: /run/m.sock, port: 9089", "socket: /run/m.sock, \(tls)",
            "socket-access: group", "socket: /\(String(repeating: "x", count: 90))",
            "socket: /run/m.sock, socket-access: all",
        ])
    func wrongSocket(settings: String) {
        #expect(found(settings).count == 1, "\(found(settings))")
    }

    @Test("The environment protects it as the file does")
    func environment() {
        let prefix = "SIGNET_SERVER_MANAGEMENT_SERVER_"
        let environment = [
            prefix + "TLS_CERTIFICATE_FILE": "chain.pem", prefix + "TLS_PRIVATE_KEY_FILE": "key.pem",
            prefix + "TOKEN_FILE": "token", prefix + "HOST": "0.0.0.0",
        ]
        #expect(problems("", environment: environment, files: Self.files) == [])
        #expect(problems("", environment: [prefix + "HOST": "0.0.0.0"], files: Self.files).count == 2)
    }

    @Test("Another token in the file is taken up while the server runs; another listener needs a restart")
    func reload() throws {
        let text = "management: {server: {host: 0.0.0.0, \(Self.tls), token-file: token}}"
        var files = Self.files
        let running = try read(text, files: files)
        files["/etc/signet/token"] = ("another-management-token-0123456789", 0o600)
        let changed = try read(text, files: files)
        #expect(changed.http.management.token?.hash != running.http.management.token?.hash)
        #expect(changed.settingsNeedingRestart(since: running) == [])
        let open = try read("", files: files)
        #expect(open.settingsNeedingRestart(since: running) == ["management"])
    }
}
