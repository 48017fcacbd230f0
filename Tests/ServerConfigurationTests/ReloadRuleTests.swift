import Foundation
import ServerConfiguration
import ServerCore
import Testing
import UAF
import UAFService

@Suite("Configuration file: what is read again")
struct ReloadRuleTests {
    @Test("The interval is between a second and an hour, ten seconds by default")
    func interval() throws {
        #expect(try read("").reloadInterval == .seconds(10))
        #expect(try read("reload: {interval: 1s}").reloadInterval == .seconds(1))
        #expect(problems("reload: {interval: 999ms}").count == 1)
        #expect(problems("reload: {interval: 61m}").count == 1)
    }

    @Test("Where the metadata lies is known beside its files")
    func metadataPath() throws {
        let files: [String: (text: String, permissions: UInt16)] = ["/etc/signet/m/a.json": ("", 0o644)]
        #expect(try read("").uaf.metadataPath == nil)
        #expect(try read("fido-uaf: {metadata: {path: m}}", files: files).uaf.metadataPath == "/etc/signet/m")
    }

    @Test("Without files the metadata is the product's, with files theirs; an unreadable one is named")
    func metadata() throws {
        #expect(try read("").metadata(from: ScriptedFiles()) == .product)
        let document = String(
            decoding: MetadataCatalog(MetadataCatalog.product.statements.suffix(1)).document, as: UTF8.self)
        let files: [String: (text: String, permissions: UInt16)] = ["/etc/signet/m.json": (document, 0o644)]
        let deployment = try read("fido-uaf: {metadata: {path: m.json}}", files: files)
        let acceptance = try deployment.acceptance(from: ScriptedFiles(files: files), origin: "https://a")
        #expect(acceptance.metadata.statements.count == 1)
        #expect(acceptance.facets.map(\.text) == UAFDeployment.demonstrationFacets)
        #expect(throws: ServerError.invalidMetadata(name: "/etc/signet/m.json", .unreadable)) {
            try deployment.metadata(from: ScriptedFiles())
        }
    }

    @Test("A setting that only a restart takes up is named, and of the others none", arguments: ReloadRow.all)
    func restart(row: ReloadRow) throws {
        let (running, changed) = (try row.deployment(row.before), try row.deployment(row.after))
        #expect(running.values[row.property] != nil, "there is no such property")
        #expect(running.values[row.property] != changed.values[row.property], "the row changes another setting")
        #expect(changed.settingsNeedingRestart(since: running).sorted() == row.named.sorted())
        #expect(changed.settingsNeedingRestart(since: changed).isEmpty)
    }

    @Test("Each property of a deployment has a row that tells whether it is taken up while the server runs")
    func rows() throws {
        #expect(try Set(read("").values.keys) == Set(ReloadRow.all.map(\.property)))
    }

    @Test("docs/operate/operations.md lists the settings that are taken up while the server runs, and no other")
    func page() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/operate/operations.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let row = try #require(text.firstMatch(of: /taken up while the server runs.*\n.*\n\| (.*?) \|/))
        let listed = row.1.split(separator: ", ").map { $0.filter { $0 != "`" } }
        #expect(Set(listed) == Set(ReloadRow.takenUp.map { "fido-uaf." + $0.key } + ReloadRow.rights.map(\.setting)))
    }
}

/// A property of a deployment, a change of it, and the settings that are then said to need a restart.
struct ReloadRow: Sendable, CustomTestStringConvertible {
    /// Name of the property in `Deployment`, `UAFDeployment` or `VerificationSettings`.
    let property: String
    /// The settings that are named; none: the change is taken up while the server runs.
    let named: [String]
    let before: String
    let after: String

    init(_ property: String, _ named: [String], _ after: String, before: String = "") {
        self.property = property
        self.named = named
        self.before = before
        self.after = after
    }

    var testDescription: String { "\(property): \(after)" }

    /// The configuration of a text, with the files that the rows name.
    func deployment(_ text: String) throws -> Deployment {
        try read(
            text,
            files: [
                "/etc/signet/m/a.json": ("[]", 0o644), "/etc/signet/a.pem": ("a", 0o644),
                "/etc/signet/portal.key": (String(repeating: "k", count: 32), 0o600),
                "/etc/signet/keys.json": (Self.keySet, 0o644),
                "/etc/signet/hook.secret": ("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", 0o600),
                "/etc/signet/b.pem": ("b", 0o644), "/etc/signet/c.pem": ("-----BEGIN CERTIFICATE-----", 0o644),
            ])
    }

    private static let keySet =
        #"{"keys":[{"kty":"RSA","e":"AQAB","n":"wVVV\#(String(repeating: "VVVV", count: 84))VQ"}]}"#

    static let all: [ReloadRow] =
        restarts
        + takenUp.map { row in
            ReloadRow(
                row.property, [], "fido-uaf: {\(row.shared)\(row.key): \(row.after)}",
                before: row.before.map { "fido-uaf: {\(row.shared)\(row.key): \($0)}" } ?? "")
        }
        + rights.map { ReloadRow($0.property, [], $0.after, before: $0.before) }

    /// Lists of rights in other sections, which are taken up, too.
    static let rights: [(property: String, setting: String, before: String, after: String)] = [
        (
            "outOfBand", "out-of-band.access-keys", "",
            "out-of-band: {access-keys: [{name: portal, key-file: portal.key}]}"
        ),
        (
            "tokens", "tokens.trusted-issuers", "",
            "tokens: {trusted-issuers: [{issuer: \"https://idp\", key-set-file: keys.json}]}"
        ),
        (
            "webSites", "openid.clients", "openid: {enabled: true}",
            "openid: {enabled: true, clients: [{id: shop, name: Shop, public: true, redirect-addresses: [\"https://shop.example/back\"]}]}"
        ),
    ]

    /// The settings of `fido-uaf` that are taken up while the server runs.
    static let takenUp: [(property: String, key: String, shared: String, before: String?, after: String)] = [
        ("facets", "facets", "", nil, #"["ios:bundle-id:b"]"#), ("metadataPath", "metadata", "", nil, "{path: m}"),
        ("metadataFiles", "metadata", "", nil, "{path: m}"),
        ("policies", "policies", "", nil, #"{default: {accepted: ["F1D0#0002"]}}"#),
        (
            "defaultPolicy", "default-policy",
            #"policies: {a: {accepted: ["F1D0#0001"]}, b: {accepted: ["F1D0#0002"]}}, "#, "a", "b"
        ),
        ("attestationRoots", "key-attestation", "", nil, "{roots-files: [c.pem]}"),
        (
            "applications", "applications", "", nil,
            #"[{facet: "ios:bundle-id:org.signet.demo", minimum: "2.0"}]"#
        ),
        ("appAttestation", "app-attestation", "", nil, "{authentication: true}"),
        ("dispatchers", "dispatchers", "", nil, "[{type: png-qr-code}]"),
        ("revokedAAIDs", "revoked-aaids", "", nil, #"["F1D0#0001"]"#),
        (
            "additionalAlgorithms", "additional-algorithms", "", nil,
            #"[{aaid: "F1D0#0001", algorithm: 3, key-format: 258}]"#
        ),
    ]

    private static let restarts = [
        ReloadRow(
            "profile", ["profile"], "profile: production\n" + sameInBothProfiles, before: sameInBothProfiles),
        ReloadRow(
            "assuranceProfiles", ["profile"], "profile: [production, psd2-sca]\n" + sameInBothProfiles,
            before: "profile: production\n" + sameInBothProfiles),
        ReloadRow("dataDirectory", ["data-directory", "database", "master-key-file"], "data-directory: b"),
        ReloadRow("masterKeyFile", ["master-key-file"], "master-key-file: b"),
        ReloadRow("database", ["database"], "database: {file: b}"),
        ReloadRow("database", ["database"], "database: {driver: postgresql, host: db.example.com}"),
        ReloadRow("logLevel", ["log"], "log: {level: debug}"), ReloadRow("logFormat", ["log"], "log: {format: json}"),
        ReloadRow("http", ["server"], "server: {port: 1}"),
        ReloadRow("http", ["server"], "server: {rate-limit: {per-user: {burst: 1}}}"),
        ReloadRow("http", ["management"], "management: {server: {port: 1}}"),
        ReloadRow("instanceName", ["instance-name"], "instance-name: b"),
        ReloadRow("auditRetention", ["audit"], "audit: {retention: 400d}"),
        ReloadRow(
            "syslog", ["audit"], "audit: {syslog: {address: \"logs.example.com:6514\", authority-file: a.pem}}"),
        ReloadRow("appID", ["fido-uaf.app-id"], "fido-uaf: {app-id: \"https://b/facets\"}"),
        ReloadRow("responseLifetime", ["fido-uaf.timeouts"], "fido-uaf: {timeouts: {response: 100s}}"),
        ReloadRow(
            "transactionMaximumByteCount", ["fido-uaf.transaction-max-bytes"], "fido-uaf: {transaction-max-bytes: 1}"),
        ReloadRow("hidesUnknownUsers", ["fido-uaf.hide-unknown-users"], "fido-uaf: {hide-unknown-users: false}"),
        ReloadRow(
            "channelBinding", ["fido-uaf.channel-binding"], binding("required", "a"), before: binding("verified", "a")),
        ReloadRow(
            "frontEndCertificateFiles", [], binding("verified", "b"), before: binding("verified", "a")),
        ReloadRow(
            "serverBinding", ["fido-uaf.server-binding"], "fido-uaf: {server-binding: {rule: required}}"),
        ReloadRow(
            "additionalOrigins", ["fido-uaf.server-binding"],
            "fido-uaf: {server-binding: {additional-origins: [\"https://old.example.com\"]}}"),
        ReloadRow(
            "refusesOutdatedAuthenticators", ["fido-uaf.refuse-outdated-authenticators"],
            "fido-uaf: {refuse-outdated-authenticators: true}"),
        ReloadRow(
            "registrationCounterLimit", ["fido-uaf.max-registration-counter"],
            "fido-uaf: {max-registration-counter: 5}"),
        ReloadRow("authorization", ["authorization"], "authorization: {max-credentials: 3}"),
        ReloadRow("tokens", ["tokens"], "tokens: {lifetime: 1m}"),
        ReloadRow("sessions", ["sessions"], "sessions: {enabled: false}"),
        ReloadRow("outOfBand", ["out-of-band"], "out-of-band: {max-targets: 1}"),
        ReloadRow("passwordLogin", ["password-login"], "password-login: {enabled: true}"),
        ReloadRow("conformance", ["conformance"], "conformance: {enabled: true}"),
        ReloadRow("webSites", ["openid"], "openid: {enabled: true}"),
        ReloadRow("webSites", ["receipts"], "receipts: {retention: 30d}"),
        ReloadRow(
            "webSites", ["webhooks"],
            "webhooks: [{name: a, address: \"https://a.example/h\", events: [locked], secret-file: hook.secret}]"),
        ReloadRow("webSites", ["outgoing"], "outgoing: {parallel: 2}"),
        ReloadRow("webSites", ["relying-party-api"], "relying-party-api: {enabled: true}"),
        ReloadRow("webSites", ["pages"], "pages: {language: de}"),
        ReloadRow("webSites", ["recovery"], "recovery: {wait: 2h}"),
        ReloadRow("reloadInterval", ["reload"], "reload: {interval: 1s}"),
    ]

    private static let sameInBothProfiles =
        "fido-uaf: {facets: [\"ios:bundle-id:a.b\"], dispatchers: []}\nserver: {drain-time: 1s}"

    private static func binding(_ rule: String, _ file: String) -> String {
        "fido-uaf: {channel-binding: {rule: \(rule), certificate-files: [\(file).pem]}}"
    }
}

extension Deployment {
    /// Texts of the values of all stored properties by name; of FIDO UAF and its verification the values inside.
    fileprivate var values: [String: String] {
        var values: [String: String] = [:]
        for owner in [self, uaf, uaf.verification] as [Any] {
            for (label, value) in Mirror(reflecting: owner).children where !(value is UAFDeployment) {
                guard let label, !(value is VerificationSettings) else { continue }
                values[label] = String(describing: value)
            }
        }
        return values
    }
}
