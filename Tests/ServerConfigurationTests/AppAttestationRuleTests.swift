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
