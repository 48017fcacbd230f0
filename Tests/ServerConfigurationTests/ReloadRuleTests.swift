import ServerConfiguration
import ServerCore
import Testing
import UAF

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

    @Test(
        "Settings that only a restart takes up are named",
        arguments: [
            ("server: {port: 1}", "server"), ("management: {server: {port: 1}}", "management"),
            ("instance-name: b", "instance-name"), ("data-directory: b", "data-directory"),
            ("log: {level: debug}", "log"), ("tokens: {lifetime: 1m}", "tokens"),
            ("sessions: {enabled: false}", "sessions"), ("password-login: {enabled: true}", "password-login"),
            ("authorization: {max-credentials: 3}", "authorization"), ("conformance: {enabled: true}", "conformance"),
            ("fido-uaf: {app-id: \"https://b/facets\"}", "fido-uaf.app-id"),
            ("fido-uaf: {timeouts: {response: 100s}}", "fido-uaf.timeouts"), ("reload: {interval: 1s}", "reload"),
        ])
    func restart(text: String, name: String) throws {
        #expect(try read(text).settingsNeedingRestart(since: read("")).contains(name))
    }

    @Test("Facets, policies and revoked models need no restart")
    func noRestart() throws {
        let changed = try read(
            """
            fido-uaf:
              facets: ["ios:bundle-id:b"]
              revoked-aaids: ["F1D0#0001"]
              default-policy: b
              policies: {b: {accepted: ["F1D0#0002"]}}
            """)
        #expect(changed.settingsNeedingRestart(since: try read("")).isEmpty)
    }
}
