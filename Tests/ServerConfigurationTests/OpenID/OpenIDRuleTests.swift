import Octets
import OpenID
import ServerConfiguration
import ServerCore
import TestSupport
import Testing
import WebAuthn

@Suite("Configuration file: what web sites use")
struct OpenIDRuleTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/shop.secret": (secret + "\n", 0o600), "/etc/signet/open.secret": (secret, 0o644),
        "/etc/signet/short.secret": ("short", 0o600), "/etc/signet/keys.json": ("{\"keys\":[]}", 0o644),
        "/etc/signet/hook.secret": ("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n", 0o600),
        "/etc/signet/portal.key": (secret, 0o600), "/etc/signet/list.jwt": ("verified where it is used", 0o644),
        "/etc/signet/roots.pem": (roots, 0o644),
    ]
    private static let roots = String(
        decoding: (try? AttestationAuthority().rootText) ?? [], as: UTF8.self)

    private func sites(_ text: String) throws -> OpenIDSettings { try read(text, files: Self.files).webSites }

    private func found(_ text: String) -> [String] { problems(text, files: Self.files) }

    private func client(_ settings: String) -> String {
        "openid: {enabled: true, clients: [{id: shop, name: Shop, \(settings)}]}"
    }

    @Test("Everything is off until it is configured")
    func defaults() throws {
        #expect(try sites("") == OpenIDSettings())
        #expect(try sites("openid: {}").openID == nil)
        #expect(try sites("openid: {enabled: true}").openID == OpenIDSettings.Provider())
    }

    @Test("Every key of the provider and of a client is read")
    func everything() throws {
        let openID = try #require(
            try sites(
                """
                openid:
                  enabled: true
                  session-lifetime: 5m
                  max-open-sessions: 500
                  sign-in-pages: {per-ipv4: 400, per-64: 40, per-56: 80, per-48: 160}
                  code-lifetime: 30s
                  pushed-request-lifetime: 60s
                  token-lifetime: 5m
                  refresh-lifetime: 7d
                  browser-session-lifetime: 1h
                  code-rotation: 30s
                  backchannel-lifetime: 2m
                  sign-in-text: false
                  clients:
                    - id: shop
                      name: "Shop"
                      secret-file: shop.secret
                      redirect-addresses: ["https://shop.example/back"]
                      logout-redirect-addresses: ["https://shop.example/bye"]
                      logout-address: "https://shop.example/logout"
                      ciba: ping
                      ciba-address: "https://shop.example/ciba"
                      id-token-algorithm: ES256
                      scopes: [groups]
                      require-pkce: true
                      require-dpop: true
                      require-pushed-requests: true
                      refresh: true
                      logout-ends-offline-access: true
                      confirmation: true
                      origins: ["https://shop.example:443"]
                """
            ).openID)
        #expect(openID.sessionLifetime == .seconds(300))
        #expect(openID.openSessionLimit == 500)
        let networks = openID.networkLimits
        #expect([networks.perIPv4, networks.per64, networks.per56, networks.per48] == [400, 40, 80, 160])
        #expect(openID.refreshLifetime == .seconds(7 * 86_400))
        #expect(!openID.hasSignInText)
        let client = try #require(openID.clients.first)
        #expect(client.authentication == .secret(ClientSecretHash(of: Self.secret.utf8)))
        #expect(client.redirects.map(\.text) == ["https://shop.example/back"])
        let address = try #require(OutgoingAddress("https://shop.example/ciba"))
        #expect(client.backchannel == .ping(address))
        #expect(client.idTokenAlgorithm == .es256)
        #expect(
            client.requiresPKCE && client.requiresKeyProof && client.requiresPushedRequests && client.mayRefresh
                && client.mayAskForConfirmation)
        #expect(client.endsOfflineAccess && client.attributeScopes == [.groups])
        #expect(client.origins == ["https://shop.example"])
    }

    @Test("Sessions are bound to devices only where that is switched on")
    func boundSessions() throws {
        #expect(try sites("openid: {enabled: true}").openID?.bindsSessions == false)
        #expect(try sites("openid: {enabled: true, device-bound-sessions: true}").openID?.bindsSessions == true)
    }

    @Test("Passkeys are off until they are switched on, and every key of theirs is read")
    func passkeys() throws {
        #expect(try sites("openid: {enabled: true, passkeys: {synced: false}}").openID?.passkeys == nil)
        #expect(
            try sites("openid: {enabled: true, passkeys: {enabled: true}}").openID?.passkeys
                == OpenIDSettings.Passkeys())
        let passkeys = try #require(
            try sites(
                """
                openid:
                  enabled: true
                  passkeys:
                    enabled: true
                    relying-party-id: example.com
                    origins: ["https://login.example.com", "https://shop.example.com:443"]
                    synced: false
                    removal-wait: 2d
                    metadata-file: list.jwt
                    metadata-roots-files: [roots.pem]
                    attestation: {required: true}
                """
            ).openID?.passkeys)
        #expect(passkeys.relyingPartyID == "example.com" && !passkeys.takesSyncedKeys)
        #expect(passkeys.origins == ["https://login.example.com", "https://shop.example.com"])
        #expect(passkeys.removalWait == .seconds(2 * 86_400))
        #expect(passkeys.metadata?.path == "/etc/signet/list.jwt" && !passkeys.attestation.takesNone)
        #expect(passkeys.uncoveredOrigins(at: "https://login.example.com:8443").isEmpty)
        #expect(passkeys.uncoveredOrigins(at: "https://login.example.org") == ["https://login.example.org"])
        #expect(passkeys.uncoveredOrigins(at: "https://badexample.com") == ["https://badexample.com"])
        let standard = OpenIDSettings.Passkeys()
        #expect(standard.domain(at: "https://login.example.com:8443") == "login.example.com")
        #expect(standard.uncoveredOrigins(at: "https://localhost:8443").isEmpty)
        for number in ["https://127.0.0.1:8443", "https://[::1]"] {
            #expect(standard.uncoveredOrigins(at: number) == [number])
        }
    }

    @Test(
        "What no passkey can use is refused",
        arguments: [
            "relying-party-id: \"https://example.com\"", "relying-party-id: Example.com", "relying-party-id: 192.0.2.1",
            "relying-party-id: \"a..b\"", "relying-party-id: \"\"", "relying-party-id: -a.example",
            "origins: [\"http://example.com\"]", "origins: [\"https://example.com/path\"]", "removal-wait: 59m",
            "removal-wait: 8d", "attestation: {required: true}", "attestation: {roots-files: [absent.pem]}",
            "attestation: {roots-files: [shop.secret]}", "unknown: 1",
            "metadata-file: list.jwt", "metadata-roots-files: [roots.pem]",
            "metadata-file: absent.jwt, metadata-roots-files: [roots.pem]",
            "metadata-file: list.jwt, metadata-roots-files: [shop.secret]",
            "metadata-file: list.jwt, metadata-roots-files: []",
        ])
    func refusedPasskeys(_ settings: String) {
        #expect(!found("openid: {enabled: true, passkeys: {enabled: true, \(settings)}}").isEmpty)
    }

    @Test("A client that names little has what stock libraries expect: RS256, PKCE or a nonce, profile and email")
    func littleClient() throws {
        let client = try #require(try sites(client("secret-file: shop.secret")).openID?.clients.first)
        #expect(client.idTokenAlgorithm == .rs256)
        #expect(!client.requiresPKCE)
        #expect(client.attributeScopes == [.profile, .email])
        let mute = try #require(try sites(self.client("secret-file: shop.secret, scopes: []")).openID?.clients.first)
        #expect(mute.attributeScopes.isEmpty)
    }

    @Test(
        "A client that contradicts a rule is refused",
        arguments: [
            "redirect-addresses: [\"https://shop.example/\"]", "secret-file: short.secret", "secret-file: open.secret",
            "secret-file: shop.secret, public: true", "public: false",
            "public: true, redirect-addresses: [\"http://shop.example/\"]",
            "public: true, redirect-addresses: [\"https://shop.example/#part\"]",
            "public: true, redirect-addresses: [\"https://a@shop.example/\"]",
            "public: true, ciba: poll", "public: true, confirmation: true", "secret-file: shop.secret, ciba: push",
            "secret-file: shop.secret, ciba: poll, ciba-address: \"https://shop.example/\"",
            "secret-file: shop.secret, origins: [\"https://shop.example/path\"]",
            "secret-file: shop.secret, logout-address: \"http://shop.example/\"",
            "secret-file: shop.secret, scopes: [offline_access]", "secret-file: shop.secret, scopes: [phone]",
            "secret-file: shop.secret, unknown: 1", "key-set-file: keys.json",
            "secret-file: shop.secret, redirect-addresses: [\"com.example.app:/back\"]",
            "public: true, redirect-addresses: [\"app:/back\"]",
            "public: true, redirect-addresses: [\"javascript:alert(1)\"]",
            "public: true, redirect-addresses: [\"com.example.app:back\"]",
            "public: true, origins: [\"com.example.app:\"]",
        ])
    func refused(_ settings: String) {
        #expect(!found(client(settings)).isEmpty)
    }

    @Test("An application has its own scheme, or a loopback address, as the way back (RFC 8252, 7)")
    func applications() throws {
        let settings = "public: true, redirect-addresses: [\"com.example.app:/back\", \"http://127.0.0.1/back\"]"
        let client = try #require(try sites(client(settings)).openID?.clients.first)
        #expect(client.redirects.map(\.isPrivate) == [true, false])
        #expect(client.redirects.map(\.origin) == ["com.example.app:", "http://127.0.0.1"])
    }

    @Test("SA-23: A client has no name that people could misread", arguments: TreacherousText.lines + ["My  shop"])
    func misread(name: String) {
        func configuration(_ name: String) -> String {
            "openid: {enabled: true, clients: [{id: shop, name: \"\(name)\", secret-file: shop.secret}]}"
        }
        #expect(found(configuration("Shop")).isEmpty && !found(configuration(name)).isEmpty)
    }

    @Test("A client may stand once, and not be named like the audience of the backend's tokens")
    func names() {
        let one = "{id: shop, name: Shop, public: true}"
        #expect(found("openid: {enabled: true, clients: [\(one), \(one)]}").count == 1)
        #expect(found("tokens: {audience: shop}\nopenid: {enabled: true, clients: [\(one)]}").count == 1)
    }

    @Test("Webhooks have a name, an https address, events and a key of their own")
    func webhooks() throws {
        let text =
            "webhooks: [{name: crm, address: \"https://crm.example/h\", events: [locked], secret-file: hook.secret}]"
        let hook = try #require(try sites(text).webhooks.first)
        #expect(hook.name.text == "crm" && hook.events == [.locked])
        #expect(hook.secret.reveal() == Array(Self.secret.utf8))
        for wrong in [
            "hook.secret": "shop.secret", "[locked]": "[]", "https://crm": "http://crm", "locked": "unlocked",
        ] {
            #expect(!found(text.replacing(wrong.key, with: wrong.value)).isEmpty, "\(wrong)")
        }
    }

    @Test("Outgoing requests, receipts, pages and the scopes of access keys are read, and bounded")
    func rest() throws {
        let text = """
            receipts: {enabled: false, retention: 30d}
            outgoing: {allowed-networks: ["10.0.0.0/8"], timeout: 5s, retries: [1s, 2s], dead-letter-retention: 2h, parallel: 2}
            relying-party-api: {enabled: true}
            pages: {service-name: "Bank", language: de, my-devices: false, announce-new-devices: false}
            out-of-band: {access-keys: [{name: portal, key-file: portal.key, scopes: [enroll, "users:read"],
              requests-per-second: 5, burst: 10}]}
            """
        let deployment = try read(text, files: Self.files)
        let sites = deployment.webSites
        #expect(!sites.receipts.isEnabled && sites.receipts.retention == .seconds(30 * 86_400))
        #expect(sites.outgoing.retries == [.seconds(1), .seconds(2)] && sites.outgoing.parallelLimit == 2)
        #expect(sites.hasRelyingPartyAPI && sites.pages.language == "de" && !sites.pages.hasMyDevices)
        let rights = try #require(deployment.outOfBand.accessKeys.first?.rights)
        #expect(rights.scopes == [.enroll, .readUsers] && rights.limit == RateLimit(perSecond: 5, burst: 10))
        for wrong in [
            "outgoing: {parallel: 0}", "outgoing: {timeout: 1h}", "pages: {language: es}", "receipts: {retention: 1h}",
            "openid: {code-lifetime: 61s}",
        ] { #expect(!found(wrong).isEmpty, "\(wrong)") }
    }

    @Test("Recoveries are off by default, wait for an hour to a week, and need the page on which codes are made")
    func recovery() throws {
        let standard = try sites("").recovery
        #expect(!standard.isEnabled && standard.wait == .seconds(86_400))
        let on = "openid: {enabled: true}\nrecovery: {enabled: true, wait: 1h}"
        let read = try sites(on).recovery
        #expect(read.isEnabled && read.wait == .seconds(3_600))
        for wrong in [
            "recovery: {enabled: true}", on + "\npages: {my-devices: false}", "recovery: {wait: 59m}",
            "recovery: {wait: 8d}", "recovery: {waiting: 1h}",
        ] { #expect(!found(wrong).isEmpty, "\(wrong)") }
    }

    @Test("A change of any of it needs a restart, which is said")
    func restart() throws {
        let (before, after) = (try read(""), try read("relying-party-api: {enabled: true}\npages: {language: fr}"))
        let own = try read("relying-party-api: {own-users: true}")
        #expect(own.webSites.hasOwnUsers && own.settingsNeedingRestart(since: before) == ["relying-party-api"])
        #expect(after.settingsNeedingRestart(since: before) == ["relying-party-api", "pages"])
    }
}
