import Foundation
import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: the application that responds")
struct AppAttestationRuleTests {
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/apple.pem": ("apple roots", 0o644), "/etc/signet/google.pem": ("google roots", 0o644),
        "/etc/signet/status.json": (#"{"entries":{}}"#, 0o644),
    ]
    private static let digest = String(repeating: "3b", count: 32)
    private static let apple = "apple: {applications: [ABCDE12345.com.example.app], roots-file: apple.pem}"
    private static let android =
        "android: {packages: [com.example.app], signers: [\"\(digest)\"], roots-file: google.pem}"

    private func settings(_ text: String) throws -> AppAttestationSettings {
        try read("fido-uaf: {app-attestation: {\(text)}}", files: Self.files).uaf.appAttestation
    }

    @Test("Without settings statements are ignored, and no application is taken")
    func defaults() throws {
        #expect(try read("").uaf.appAttestation == AppAttestationSettings())
        #expect(try read("").uaf.appAttestation.rule == .ignored)
        #expect(try read("").serverSettings(metadata: .product, origin: "https://a").uaf.appAttestation.apple == nil)
    }

    @Test("Rule, scope and applications are taken", arguments: AppAttestationSettings.Rule.allCases)
    func taken(rule: AppAttestationSettings.Rule) throws {
        let settings = try settings("rule: \(rule.rawValue), authentication: true, \(Self.apple), \(Self.android)")
        #expect(settings.rule == rule && settings.coversAuthentication)
        #expect(settings.apple?.applications == ["ABCDE12345.com.example.app"])
        #expect(settings.apple?.roots == Array("apple roots".utf8) && settings.apple?.isDevelopment == false)
        #expect(settings.android?.packages == ["com.example.app"])
        #expect(settings.android?.signers == [[UInt8](repeating: 0x3B, count: 32)])
        #expect(settings.android?.roots == Array("google roots".utf8) && settings.android?.revocations == nil)
    }

    @Test("The environment of development, digests with colons and a list of revoked certificates are taken")
    func variants() throws {
        let colons = Array(repeating: "3B", count: 32).joined(separator: ":")
        let apple = "apple: {applications: [ABCDE12345.a], roots-file: apple.pem, environment: development}"
        let files = "roots-file: google.pem, revoked-serials-file: status.json"
        let settings = try settings("\(apple), android: {packages: [a], signers: [\"\(colons)\"], \(files)}")
        #expect(settings.apple?.isDevelopment == true)
        #expect(settings.android?.signers == [[UInt8](repeating: 0x3B, count: 32)])
        #expect(settings.android?.revocations == Array(#"{"entries":{}}"#.utf8))
    }

    @Test(
        "A rule without applications, and an application without all that it is judged by, are refused",
        arguments: [
            "rule: required", "rule: verified", "rule: sometimes", "apple: {roots-file: apple.pem}",
            "apple: {applications: [], roots-file: apple.pem}", "apple: {applications: [ABCDE12345.a]}",
            "apple: {applications: [ABCDE12345.a], roots-file: absent.pem}",
            "apple: {applications: [com.example.app], roots-file: apple.pem}",
            "apple: {applications: [abcde12345.a], roots-file: apple.pem}",
            "apple: {applications: [ABCDE12345], roots-file: apple.pem}",
            "apple: {applications: [ABCDE12345.a], roots-file: apple.pem, environment: test}",
            "android: {signers: [\"\(digest)\"], roots-file: google.pem}",
            "android: {packages: [a], roots-file: google.pem}",
            "android: {packages: [a], signers: [\"3b\"], roots-file: google.pem}",
            "android: {packages: [a], signers: [\"\(digest)\"]}",
            "android: {packages: [a], signers: [\"\(digest)\"], roots-file: google.pem, revoked-serials-file: absent}",
        ])
    func refused(text: String) {
        #expect(problems("fido-uaf: {app-attestation: {\(text)}}", files: Self.files).count == 1)
    }

    // MARK: - Devices

    /// A demand on devices with a value, what it makes of the settings, and a value that is refused.
    struct DeviceSetting: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String
        let wrong: String
        let change: @Sendable (inout AndroidDeviceDemand) -> Void

        var testDescription: String { name }
    }

    private static let devices = [
        DeviceSetting(name: "security-level", value: "strongbox", wrong: "software") { $0.isStrongBoxRequired = true },
        DeviceSetting(name: "verified-boot", value: "false", wrong: "maybe") { $0.isVerifiedBootRequired = false },
        DeviceSetting(name: "rollback-resistance", value: "true", wrong: "1") {
            $0.isRollbackResistanceRequired = true
        },
        DeviceSetting(name: "oldest-patch-level", value: "202601", wrong: "202613") { $0.oldestPatchLevel = 202_601 },
        DeviceSetting(name: "patch-age-months", value: "6", wrong: "121") { $0.patchAge = 6 },
    ]

    private static func android(_ setting: String) -> String { android.dropLast() + ", \(setting)}" }

    @Test("What a device has to state is taken, and a value that is none of it refused", arguments: devices)
    func device(setting: DeviceSetting) throws {
        var expected = AndroidDeviceDemand()
        #expect(try settings(Self.android).android?.device == expected)
        setting.change(&expected)
        let given = try settings(Self.android("\(setting.name): \(setting.value)")).android?.device
        #expect(given == expected && given != AndroidDeviceDemand())
        let wrong = Self.android("\(setting.name): \(setting.wrong)")
        let found = problems("fido-uaf: {app-attestation: {\(wrong)}}", files: Self.files)
        #expect(found.count == 1 && found[0].contains("app-attestation.android.\(setting.name): "))
    }

    @Test("docs/security/attestation.md names each demand on devices that the configuration takes, and no other")
    func page() throws {
        #expect(Mirror(reflecting: AndroidDeviceDemand()).children.count == Self.devices.count)
        let page = URL(filePath: #filePath).appending(path: "../../../docs/security/attestation.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(text.firstMatch(of: /\| fido-uaf\.app-attestation\.android .*\n.*\n((\|.*\n)+)/))
        let named = table.1.split(separator: "\n").map { $0.split(separator: "`")[1] }
        #expect(Set(named.map(String.init)) == Set(Self.devices.map(\.name)) && named.count == Self.devices.count)
    }

    @Test(
        "Each setting that docs/security/attestation.md names is read",
        arguments: [
            "fido-uaf.app-attestation", "fido-uaf.key-attestation.roots-files", "fido-uaf.revoked-aaids",
            "fido-uaf.app-attestation.android",
        ])
    func named(setting: String) throws {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/security/attestation.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let names = text.matches(of: /fido-uaf\.[a-z.-]*[a-z]/).map { String($0.0) }
        #expect(names.contains(setting))
        for name in Set(names) {
            let path = name.split(separator: ".")
            let yaml =
                path.map { "\($0): " }.joined(separator: "{") + "1" + String(repeating: "}", count: path.count - 1)
            #expect(!problems(yaml).contains { $0.contains("unknown setting") }, "\(name)")
        }
    }

    @Test("Files that hold no certificates are refused when the settings are put together")
    func contents() throws {
        for section in [Self.apple, Self.android] {
            let deployment = try read(
                "fido-uaf: {app-attestation: {rule: required, \(section)}}", files: Self.files)
            let error = #expect(throws: ServerError.self) {
                try deployment.serverSettings(metadata: .product, origin: "https://a")
            }
            let name = section == Self.apple ? "apple" : "android"
            #expect(error == .invalidSetting(name: "app-attestation.\(name).roots-file"))
        }
    }
}
