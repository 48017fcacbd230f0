import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: dispatchers")
struct DispatcherRuleTests {
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/account.json": ("{}", 0o600), "/etc/signet/open.json": ("{}", 0o644),
        "/etc/signet/ca.pem": ("", 0o644), "/etc/signet/proxy.password": ("p:w", 0o600),
    ]

    private func dispatchers(_ text: String, profile: String = "development") throws -> [DispatcherSettings] {
        let facets = #"facets: ["ios:bundle-id:a.b"]"#
        return try read(
            "profile: \(profile)\nserver: {public-url: \"https://a.example\"}\nfido-uaf: {\(facets), dispatchers: \(text)}",
            files: Self.files
        ).uaf.dispatchers
    }

    private func found(_ text: String) -> [String] {
        problems("fido-uaf: {dispatchers: \(text)}", files: Self.files)
    }

    @Test("Every key of every dispatcher is read")
    func everything() throws {
        let settings = try dispatchers(
            """
            [
              {type: firebase-cloud-messaging, service-account-json: account.json, dry-run: true,
               endpoint-base-url: "https://127.0.0.1:9443", token-url: "https://127.0.0.1:9443/token",
               remove-unregistered-clients: false, proxy-url: "http://proxy.example:3128", proxy-user: u,
               proxy-password: "${file:proxy.password}", trusted-certificates-file: ca.pem,
               authentication-redeem-url: "https://a.example/r"},
              {type: link, base-url: "https://link.example/open?x=1", require-encryption: true},
              {type: link-png-qr-code, link-base-url: "app.example://open", registration-redeem-url: "https://a.example/g",
               deregistration-redeem-url: "https://a.example/d"},
              {type: png-qr-code}
            ]
            """)
        var firebase = FirebaseSettings(serviceAccountFile: "/etc/signet/account.json")
        firebase.isDryRun = true
        firebase.endpoint = "https://127.0.0.1:9443"
        firebase.tokenEndpoint = "https://127.0.0.1:9443/token"
        firebase.removesUnregisteredClients = false
        firebase.proxy = PushProxy(host: "proxy.example", port: 3_128, login: .init(user: "u", password: "p:w"))
        firebase.trustedCertificatesFile = "/etc/signet/ca.pem"
        var push = DispatcherSettings(.firebaseCloudMessaging(firebase))
        push.redeemAddresses.authentication = "https://a.example/r"
        push.requiresEncryption = true
        var link = DispatcherSettings(.link(try #require(LinkAddress("https://link.example/open?x=1"))))
        link.requiresEncryption = true
        var code = DispatcherSettings(.linkPNGQRCode(try #require(LinkAddress("app.example://open"))))
        code.redeemAddresses.registration = "https://a.example/g"
        code.redeemAddresses.deregistration = "https://a.example/d"
        #expect(settings == [push, link, code, DispatcherSettings(.pngQRCode)])
        #expect(code.redeemAddresses.address(for: .deregistration, origin: "https://o") == "https://a.example/d")
        #expect(
            code.redeemAddresses.address(for: .authentication, origin: "https://o")
                == "https://o/nevisfido/token/redeem/authentication")
    }

    @Test("The push service's host is taken without a scheme, as its documentation spells it")
    func bareHost() throws {
        let settings = try dispatchers(
            "[{type: firebase-cloud-messaging, service-account-json: account.json, endpoint-base-url: fcm.googleapis.com}]"
        )
        guard case .firebaseCloudMessaging(let firebase) = settings.first?.channel else { return #expect(Bool(false)) }
        #expect(firebase.endpoint == "https://fcm.googleapis.com")
        #expect(firebase.removesUnregisteredClients && !firebase.isDryRun && firebase.proxy == nil)
    }

    @Test("Without the list the development profile can be tried out, and production has no dispatcher")
    func absent() throws {
        #expect(try read("").uaf.dispatchers == DispatcherSettings.trial)
        #expect(DispatcherSettings.trial.count == 3)
        let production = try read(
            "profile: production\nserver: {public-url: \"https://a.example\"}\nfido-uaf: {facets: [\"ios:bundle-id:a.b\"]}"
        )
        #expect(production.uaf.dispatchers.isEmpty)
        #expect(try dispatchers("[]").isEmpty)
    }

    @Test(
        "What is missing, unknown, doubled or of another form is refused, with its place",
        arguments: [
            ("[{}]", "type: must be given"),
            ("[{type: sms, number: 1}]", "must be one of"),
            ("[{type: png-qr-code}, {type: png-qr-code}]", "there is one of each type"),
            ("[{type: png-qr-code, base-url: \"https://a\"}]", "unknown setting"),
            ("[{type: link}]", "base-url: must be given"),
            ("[{type: link, base-url: \"http://a.example\"}]", "must be an https URL"),
            ("[{type: link, base-url: \"https://a.example/#x\"}]", "must be an https URL"),
            ("[{type: link, base-url: \"javascript:x\"}]", "must be an https URL"),
            (
                "[{type: link, base-ulr: \"https://a.example\", base-url: \"https://a.example\"}]",
                "did you mean \"base-url\""
            ),
            ("[{type: link-png-qr-code, base-url: \"https://a\"}]", "link-base-url: must be given"),
            ("[{type: firebase-cloud-messaging}]", "service-account-json: must be given"),
            ("[{type: firebase-cloud-messaging, service-account-json: no.json}]", "cannot read"),
            ("[{type: firebase-cloud-messaging, service-account-json: open.json}]", "holds a secret but has mode 0644"),
        ])
    func refused(_ text: String, _ reason: String) {
        #expect(found(text).contains { $0.contains(reason) }, "\(found(text))")
    }

    @Test(
        "Keys of the push dispatcher are refused in another form",
        arguments: [
            "endpoint-base-url: \"http://a.example\"", "endpoint-base-url: \"https://a.example/x\"",
            "endpoint-base-url: \"a.example/x\"", "token-url: \"http://a.example\"", "dry-run: 1",
            "proxy-url: \"https://p:1\"", "proxy-url: \"http://p\"", "proxy-url: \"http://u:p@h:1\"",
            "proxy-url: \"http://p:1/x\"", "proxy-url: \"http://p:0\"", "proxy-user: u", "proxy-password: p",
            "proxy-url: \"http://p:1\", proxy-user: u",
            "proxy-url: \"http://p:1\", proxy-user: \"a:b\", proxy-password: p",
            "trusted-certificates-file: no.pem", "authentication-redeem-url: \"http://a.example\"",
        ])
    func refusedPush(_ setting: String) {
        let text = "[{type: firebase-cloud-messaging, service-account-json: account.json, \(setting)}]"
        #expect(!found(text).isEmpty)
    }

    @Test("A problem never shows the password of the proxy, nor does a value that is printed")
    func secrecy() throws {
        let text =
            "[{type: firebase-cloud-messaging, service-account-json: account.json, proxy-user: u, proxy-password: hunter2}]"
        #expect(!found(text).contains { $0.contains("hunter2") })
        let login = PushProxy.Login(user: "u", password: "hunter2")
        #expect(!"\(login) \(String(reflecting: PushProxy(host: "h", port: 1, login: login)))".contains("hunter2"))
    }

    @Test("Links may lead to a phone page of this machine for trials, when a setting says so, and never in production")
    func loopback() throws {
        let page = "base-url: \"http://127.0.0.1:8181/open\""
        let address = try #require(LinkAddress("http://127.0.0.1:8181/open", allowsLoopback: true))
        let list = "[{type: link, \(page), allow-loopback: true}]"
        #expect(try dispatchers(list) == [DispatcherSettings(.link(address))])
        #expect(found("[{type: link, \(page)}]").contains { $0.contains("must be an https URL") })
        #expect(
            found("[{type: link, base-url: \"http://a.example/\", allow-loopback: true}]").contains {
                $0.contains("http://127.0.0.1:PORT/PATH")
            })
        #expect(found("[{type: link-png-qr-code, link-\(page), allow-loopback: true}]").count == 2)
        let production = "profile: production\nfido-uaf: {dispatchers: \(list)}"
        #expect(problems(production).contains { $0.contains("allow-loopback: is for trials") })
    }
}
