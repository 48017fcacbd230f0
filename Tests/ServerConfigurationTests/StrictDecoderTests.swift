import ServerConfiguration
import ServerCore
import Testing

@Suite("Configuration file: strict reading")
struct StrictDecoderTests {
    @Test("An empty file gives the defaults")
    func defaults() throws {
        let deployment = try read("")
        #expect(deployment.http.service.authority == "127.0.0.1:8443")
        #expect(deployment.http.management.address?.authority == "127.0.0.1:9089")
        #expect(deployment.dataDirectory == "/operator/.local/state/signet-server")
        #expect(deployment.http.security == .ownCertificate)
    }

    @Test("The data directory follows XDG_STATE_HOME, but not a relative one")
    func stateHome() throws {
        #expect(try read("", environment: ["XDG_STATE_HOME": "/s"]).dataDirectory == "/s/signet-server")
        #expect(
            try read("", environment: ["XDG_STATE_HOME": "s"]).dataDirectory == "/operator/.local/state/signet-server")
    }

    @Test(
        "An unknown setting is refused with its place and the nearest known name",
        arguments: [
            ("server:\n  prt: 1", "signet.yml:2:3: server.prt: unknown setting, did you mean \"port\"?"),
            ("sever: {}", "signet.yml:1:1: sever: unknown setting, did you mean \"server\"?"),
            (
                "server:\n  tls:\n    private-key: x",
                "signet.yml:3:5: server.tls.private-key: unknown setting, did you mean \"private-key-file\"?"
            ),
            ("zzzzzz: 1", "signet.yml:1:1: zzzzzz: unknown setting"),
        ])
    func unknownKey(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test(
        "A value of another type is refused with its place",
        arguments: [
            ("server:\n  port: eight", "signet.yml:2:3: server.port: expected a whole number"),
            ("server:\n  port: \"8443\"", "signet.yml:2:3: server.port: expected a whole number"),
            ("server:\n  port: 1.5", "signet.yml:2:3: server.port: expected a whole number"),
            ("server:\n  host: 12", "signet.yml:2:3: server.host: expected a text (put it in quotes)"),
            ("server: []", "signet.yml:1:1: server: expected a section with settings"),
            ("server:\n  port: [1]", "signet.yml:2:3: server.port: expected a single value"),
            (
                "server:\n  connection-timeout: 30",
                "signet.yml:2:3: server.connection-timeout: expected a duration with its unit, such as 480s, 8m or 24h"
            ),
        ])
    func wrongType(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test("A number outside its range is refused")
    func range() {
        #expect(problems("server: {port: 65536}") == ["signet.yml:1:10: server.port: must be between 0 and 65535"])
        #expect(problems("server: {port: -1}") == ["signet.yml:1:10: server.port: must be between 0 and 65535"])
    }

    @Test("All problems of a file are told at once")
    func allAtOnce() {
        #expect(problems("profile: prod\nserver: {port: x, hots: y}").count == 3)
    }

    @Test("Text that is not YAML is refused with its place", arguments: ["server: [", "a: 1\na: 2", "\tx: 1"])
    func notYAML(text: String) {
        #expect(problems(text).first?.contains("not YAML") == true)
    }

    @Test("A second document is refused")
    func twoDocuments() {
        #expect(problems("profile: production\n---\nprofile: development").count == 1)
    }

    @Test("The profile is one name or a list: a standard goes with production, and with no second strictness")
    func profiles() throws {
        let facets = "fido-uaf: {facets: [\"ios:bundle-id:a.b\"]}\n"
        let both = try read(facets + "profile: [nist-800-63b-4, psd2-sca]")
        #expect(both.profile == .production && both.assuranceProfiles == [.nist, .psd2])
        #expect(try read(facets + "profile: psd2-sca").assuranceProfiles == [.psd2])
        let overridden = try read(facets, environment: ["SIGNET_SERVER_PROFILE": "production,nist-800-63b-4-aal3"])
        #expect(overridden.profile == .production && overridden.assuranceProfiles == [.nistAAL3])
        #expect(try read("").profile == .development)
        for wrong in [
            "[development, psd2-sca]", "[production, production]", "[development, production]", "[]x", "[nist]",
        ] {
            #expect(problems(facets + "profile: \(wrong)").count == 1, "\(wrong)")
        }
    }

    @Test("A name without a value counts as absent")
    func emptyValue() throws {
        #expect(try read("server:\n  port:\nmanagement:\n").http.service.port == 8443)
    }
}
