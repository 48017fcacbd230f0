import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import TestSupport
import Testing
import UAF

@testable import ServerCommands

@Suite("signet-server config check --profile: requirements of a standard, and what meets them")
struct AssuranceProfileTests {
    /// Change of the example that leaves requirements of one setting unmet.
    struct Break: Sendable, CustomTestStringConvertible {
        let setting: String
        let from: String
        let to: String

        init(_ setting: String, _ from: String, _ to: String) {
            self.setting = setting
            self.from = from
            self.to = to
        }

        var testDescription: String { "\(setting): \(to)" }
    }

    private static let hook = "events: [registered, removed, recovery]"
    private static let accepted = #"accepted: ["F1D0#1001", "F1D0#1003"]"#
    static let breaks: [Break] =
        [
            Break(
                "fido-uaf.server-binding.rule", "server-binding: { rule: required }",
                "server-binding: { rule: ignored }"),
            Break(
                "fido-uaf.server-binding.rule", "server-binding: { rule: required }",
                "server-binding: { rule: verified }"),
            Break("fido-uaf.timeouts.response", "response: 420s", "response: 421s"),
            Break("fido-uaf.timeouts.response", "backchannel-lifetime: 3m", "backchannel-lifetime: 4m"),
            Break("fido-uaf.timeouts.response", "response: 420s", "response: 481s"),
            Break("fido-uaf.policies", accepted, #"accepted: ["F1D0#1003"]"#),
            Break("fido-uaf.policies", accepted, #"accepted: ["F1D0#1001", "FFFF#FC0E"]"#),
            Break("fido-uaf.policies", accepted, #"accepted: ["F1D0#1001", "FFFF#FC0F"]"#),
            Break("fido-uaf.policies", "key-attestation: { rule: required }", "key-attestation: { rule: verified }"),
            Break(
                "fido-uaf.policies", "  timeouts:",
                "  additional-algorithms: [{ aaid: \"F1D0#1001\", algorithm: 5, key-format: 256 }]\n  timeouts:"),
            Break("authorization.registration", "registration: required", "registration: none"),
            Break("authorization.additional-credential", "uaf-login", "any-login"),
            Break("authorization.max-credentials", "max-credentials: 10", "max-credentials: 1"),
            Break("out-of-band.require-encryption", "require-encryption: true", "require-encryption: false"),
            Break("out-of-band.channel-linking.weakest-push", "weakest-push: typed", "weakest-push: compare"),
            Break("out-of-band.channel-linking.digits", "digits: 6", "digits: 5"),
            Break("out-of-band.limits.pushes", "pushes: 5", "pushes: 11"),
            Break("out-of-band.limits.wrong-digits", "wrong-digits: 3", "wrong-digits: 6"),
            Break(
                "out-of-band.dispatch-authorization", "require-encryption: true",
                "require-encryption: true\n  dispatch-authorization: none"),
            Break(
                "out-of-band.access-keys", "require-encryption: true",
                "require-encryption: true\n  access-keys: [{ name: portal, key-file: portal.key, scopes: [approve] }]"),
            Break("password-login.enabled", "password-login: { enabled: false }", "password-login: { enabled: true }"),
            Break("openid.enabled", "openid:\n  enabled: false", "openid:\n  enabled: true"),
            Break("openid.backchannel-digits", "backchannel-digits: true", "backchannel-digits: false"),
            Break("recovery.enabled", "recovery: { enabled: false }", "recovery: { enabled: true }"),
        ]
        + ["removed, recovery", "registered, recovery", "registered, removed"].map {
            Break("webhooks", hook, "events: [\($0)]")
        }
        + ["61m", "16m", "6m"].flatMap { lifetime in
            [
                Break("sessions.lifetime", "sessions: { lifetime: 5m }", "sessions: { lifetime: \(lifetime) }"),
                Break(
                    "openid.browser-session-lifetime", "browser-session-lifetime: 5m",
                    "browser-session-lifetime: \(lifetime)"),
            ]
        }

    /// Settings that count with the provider only, which AAL3 switches off.
    private static let settingsOfProvider = [
        "openid.browser-session-lifetime", "openid.backchannel-digits", "recovery.enabled",
    ]

    private let folder: TestSupport.TemporaryFolder
    private let example: String

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        let path = URL(filePath: #filePath).appending(path: "../../../packaging/assurance.yaml").standardizedFileURL
        example = try String(contentsOf: path, encoding: .utf8)
            .replacing("fido-uaf:\n", with: "fido-uaf:\n  metadata: { path: metadata.json }\n")
        for name in ["chain.pem", "roots.pem"] { try write(name, "-----BEGIN CERTIFICATE-----") }
        try write("key.pem", "-----BEGIN PRIVATE KEY-----")
        try write("portal.key", String(repeating: "k", count: 32))
        try write("notices.hook", "whsec_" + String(repeating: "c2ln", count: 8))
        try write("metadata.json", String(decoding: try Self.catalog().document, as: UTF8.self))
    }

    /// The product's models, one that signs without a person, and one with an algorithm that is not approved.
    private static func catalog() throws -> MetadataCatalog {
        var silent = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0E"))).metadata
        silent.userVerificationDetails = [[VerificationMethod(.presence)]]
        var foreign = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0F"))).metadata
        foreign.userVerificationDetails = [[VerificationMethod(.passcode)]]
        foreign.additionalSigningProfiles = []
        foreign.signing = SigningProfile(algorithm: .secp256k1ECDSASHA256Raw, publicKeyFormat: .eccX962Raw)
        return MetadataCatalog(MetadataCatalog.product.statements + [silent, foreign])
    }

    private func write(_ name: String, _ text: String) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: 0o600)
    }

    /// The example as it meets a standard: for AAL3 without sign-ins on another device, and with keys in chips.
    private func text(for profile: Deployment.AssuranceProfile) -> String {
        guard profile == .nistAAL3 else { return example }
        return example.replacing("[nist-800-63b-4, psd2-sca]", with: "nist-800-63b-4-aal3")
            .replacing("openid:\n  enabled: true", with: "openid:\n  enabled: false")
            .replacing(Self.accepted, with: Self.accepted + "\n      key-attestation: { rule: required }")
            .replacing("  timeouts:", with: "  key-attestation: { roots-files: [roots.pem] }\n  timeouts:")
    }

    private func file(_ text: String) throws -> ConfigurationFile {
        try write("server.yml", text)
        return ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: folder.path + "/data")
    }

    private func review(_ profile: Deployment.AssuranceProfile, _ text: String) throws -> ProfileReview {
        let deployment = try file(text).deployment()
        return ProfileReview(profile, of: deployment, try deployment.metadata(from: PosixFiles()))
    }

    /// Requirements that a change leaves unmet, each with its standard, section, and setting.
    private func found(_ change: Break) throws -> [(row: String, setting: String)] {
        try Deployment.AssuranceProfile.allCases.flatMap { profile -> [(row: String, setting: String)] in
            var text = text(for: profile)
            let isOfProvider = profile == .nistAAL3 && Self.settingsOfProvider.contains(change.setting)
            if isOfProvider { text = text.replacing("enabled: false\n  browser", with: "enabled: true\n  browser") }
            guard text.contains(change.from) else { return [] }
            return try review(profile, text.replacing(change.from, with: change.to)).findings
                .filter { $0.state == .notMet && !(isOfProvider && $0.row.setting == "openid.enabled") }
                .map { (Self.name(of: $0.row, profile), $0.row.setting ?? "") }
        }
    }

    private static func name(of row: ProfileRow, _ profile: Deployment.AssuranceProfile) -> String {
        "\(profile.rawValue) \(row.section) \(row.demand)"
    }

    @Test(
        "The example meets what it names, and with fewer ways in AAL3", arguments: Deployment.AssuranceProfile.allCases)
    func met(profile: Deployment.AssuranceProfile) throws {
        let review = try review(profile, text(for: profile))
        #expect(review.contradictions.isEmpty)
        #expect(review.findings.allSatisfy { $0.state != .notMet } && review.findings.count > 30)
        #expect(review.lines.last?.contains(" 0 not met, ") == true)
        _ = try ServeCommand.deployment(of: file(text(for: profile)))
    }

    @Test("Each setting that is broken is found by its row, and by no other setting's", arguments: breaks)
    func broken(change: Break) throws {
        let found = try found(change)
        #expect(!found.isEmpty)
        #expect(Set(found.map(\.setting)) == [change.setting])
    }

    @Test("A sign-in takes as long as the longest way to a phone, and then the answer: a push of a page counts")
    func longest() throws {
        let quick = example.replacing(
            "backchannel-lifetime: 3m", with: "backchannel-lifetime: 1m\n  code-rotation: 15s"
        )
        .replacing("out-of-band:\n", with: "out-of-band:\n  authentication-token-lifetime: 10s\n")
        for (text, seconds) in [
            (example, 600), (quick, 540), (quick.replacing("enabled: true", with: "enabled: false"), 430),
        ] {
            let subject = ProfileSubject(deployment: try file(text).deployment(), catalog: .product)
            #expect(subject.longestAuthentication == .seconds(seconds))
        }
    }

    @Test("Each row with a setting has a value that breaks it")
    func everyRow() throws {
        let rows = Deployment.AssuranceProfile.allCases.flatMap { profile in
            profile.rows.filter { $0.setting != nil }.map { Self.name(of: $0, profile) }
        }
        let broken = try Set(Self.breaks.flatMap { try found($0).map(\.row) })
        #expect(Set(rows).subtracting(broken).sorted() == [])
        #expect(Set(rows).count == rows.count, "two rows say the same")
    }

    @Test("A start with a standard that the configuration contradicts is refused with the row's words")
    func start() throws {
        let contradicted = try file(example.replacing("digits: 6", with: "digits: 2"))
        let error = #expect(throws: CommandFailure.self) { try ServeCommand.deployment(of: contradicted) }
        #expect(error?.code == "profileNotMet")
        #expect(
            error?.message == "profile nist-800-63b-4, 3.1.3.2 (the secret has six digits or more): "
                + "out-of-band.channel-linking.digits is 2: set it to 6 or more")
        let deployment = try contradicted.deployment()
        let mistakes = ConfigurationMistakes(of: deployment, try deployment.metadata(from: PosixFiles())).sentences
        #expect(mistakes.contains(error?.message ?? ""))
        let unnamed = try file(
            example.replacing("digits: 6", with: "digits: 2").replacing(/profile: .*/, with: "profile: production"))
        #expect(try ServeCommand.deployment(of: unnamed).assuranceProfiles.isEmpty)
    }

    @Test("Every test that a row names exists")
    func proofs() throws {
        let root = URL(filePath: #filePath).appending(path: "../..").standardizedFileURL
        let paths = (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") }
        let files = Dictionary(grouping: paths) { $0.split(separator: "/").last.map(String.init) ?? "" }
        for row in Set(Deployment.AssuranceProfile.allCases.flatMap(\.rows).compactMap(\.test)) {
            let parts = row.split(separator: "/")
            let isThere = try (files["\(parts[0]).swift"] ?? paths).contains { path in
                let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                return text.contains("struct \(parts[0]) ") && text.contains("func \(parts[1])(")
            }
            #expect(isThere, "\(row)")
        }
    }
}

extension ProfileRow {
    fileprivate var setting: String? { if case .setting(let setting) = answer { setting.name } else { nil } }
    fileprivate var test: String? { if case .test(let test) = answer { test } else { nil } }
}
