import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import TestSupport
import Testing
import UAF

@testable import ServerCommands

@Suite("signet-server config check: out of band")
struct ConfigurationReviewTests {
    /// Beginning of a client in YAML, for further settings and the brace.
    private static let client = #"{id: a, name: A, key-set-address: "https://a.example/k", "#

    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func deployment(_ outOfBand: String) throws -> Deployment {
        let path = folder.path + "/server.yml"
        try PosixFiles().write(
            Array("data-directory: data\nout-of-band: \(outOfBand)\n".utf8), to: path, mode: 0o600)
        return try ConfigurationFile(path: path, dataDirectory: nil).deployment()
    }

    private func warnings(_ outOfBand: String) throws -> Set<String> {
        try Set(ConfigurationReview(of: deployment(outOfBand), .product).warnings)
            .subtracting(ConfigurationReview(of: deployment("{status-wait: 1s}"), .product).warnings)
    }

    @Test(
        "What makes a user an easy prey is warned of (A-7); the defaults are not",
        arguments: [
            ("{channel-linking: {push: none}}", "push messages ask for no digits"),
            ("{channel-linking: {push: compare}}", "digits of push messages are compared"),
            ("{limits: {push-back-off: 0s}}", "out-of-band.limits.push-back-off is 0s"),
            ("{dispatch-authorization: none}", "out-of-band.dispatch-authorization is none"),
        ])
    func warned(outOfBand: String, warning: String) throws {
        let found = try warnings(outOfBand)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(warning) == true)
        #expect(try warnings("{limits: {pushes: 3}}").isEmpty)
    }

    @Test("A server binding that is ignored is warned of, and the origins that phones may mean are said in words")
    func serverBinding() throws {
        let further = "{status-wait: 1s}\nfido-uaf: {server-binding: "
        let found = try warnings(further + "{rule: ignored}}")
        #expect(found.count == 1 && found.first?.contains("fido-uaf.server-binding") == true)
        let listed = further + #"{rule: required, additional-origins: ["https://old.example"]}}"#
        #expect(try warnings(listed).isEmpty)
        let deployment = try deployment(listed)
        let catalog = try deployment.metadata(from: PosixFiles())
        let settings = try deployment.serverSettings(metadata: catalog, origin: "https://a.example")
        let line = ConfigurationExplanation(deployment, settings, catalog).lines.first { $0.name == "server binding" }
        #expect(line?.value.hasSuffix("to mean https://a.example, https://old.example") == true)
    }

    @Test(
        "An OpenID Provider that reaches no phone is warned of; one with links and no clients of CIBA is not",
        arguments: [
            ("fido-uaf: {dispatchers: [{type: png-qr-code}]}", "{enabled: true}", ["sign-in pages have no code"]),
            ("", "{enabled: true, clients: [\(Self.client)ciba: poll}]}", ["CIBA reaches no phone"]),
            ("", "{enabled: true, clients: [\(Self.client)}]}", [] as [String]),
        ])
    func webSites(uaf: String, openID: String, expected: [String]) throws {
        let found = try warnings("{status-wait: 1s}\n\(uaf)\nopenid: \(openID)")
        #expect(found.count == expected.count)
        for warning in expected { #expect(found.contains { $0.hasPrefix(warning) }) }
    }

    @Test("A channel linking under which CIBA is refused is warned of")
    func backchannelWithoutDigits() throws {
        for (key, digits, isRefused) in [
            ("weakest", false, true), ("weakest-push", false, true), ("weakest-push", true, false),
        ] {
            let openID = "{enabled: true, backchannel-digits: \(digits), clients: [\(Self.client)ciba: poll}]}"
            let found = try warnings("{channel-linking: {\(key): typed}}\nopenid: \(openID)")
            #expect(found.contains { $0.hasPrefix("CIBA is refused for every user") } == isRefused)
        }
    }

    @Test("Limits and quiet hours are said in words")
    func words() throws {
        let deployment = try deployment(#"{quiet-hours: {from: "22:00", to: "06:30", utc-offset: "-05:30"}}"#)
        let catalog = try deployment.metadata(from: PosixFiles())
        let settings = try deployment.serverSettings(metadata: catalog, origin: deployment.origin)
        let line = ConfigurationExplanation(deployment, settings, catalog).lines.first { $0.name == "push messages" }
        let text = try #require(line?.value)
        #expect(text.contains("at most 5 in 10m") && text.contains("wait from 15s on"))
        #expect(text.contains("none from 22:00 to 06:30 (UTC-05:30)") && text.contains("digits: typed"))
    }
}
