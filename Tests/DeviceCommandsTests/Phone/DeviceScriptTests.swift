import CommandSupport
import Foundation
import MobileAuthenticationTestKit
import Octets
import StrictYAML
import TestSupport
import Testing

@testable import DeviceCommands

@Suite("Scripts of a user are read strictly")
struct DeviceScriptTests {
    private func read(_ text: String) throws(CommandFailure) -> [ScriptStep] {
        try DeviceScript(
            ConfigurationSource(
                fileName: "script.yml", text: text, folder: "/", environment: [:], files: PosixFiles())
        ).steps
    }

    private func complaints(_ text: String) -> [String] {
        do throws(CommandFailure) {
            _ = try read(text)
            return []
        } catch {
            #expect(error.code == "ScriptInvalid" && error.kind == .local)
            return error.message.split(separator: "\n").map(String.init)
        }
    }

    @Test("A script says who does what with which secret, how questions are met, and how it ends")
    func complete() throws {
        let steps = try read(
            """
            user: anna
            authenticator: pin
            secret: "482915"
            login-password: "swordfish"
            steps:
              - do: register
                keep-on-new-biometrics: true
              - do: authenticate
                reactions: [wrong-secret, deny, "enter 12 34", "after 2s after 1m drop", vanish, approve]
                expect: userCanceled
              - { do: pin-change, new-secret: "593026" }
              - { do: delete-local, user: bert }
              - { do: delete-local, user: bert, authenticator: face }
              - { do: list, accounts: [anna] }
              - { do: wait, for: 250ms }
            """)
        #expect(
            steps.map(\.action) == [.register, .authenticate, .changePin, .deleteLocal, .deleteLocal, .list, .wait])
        #expect(steps[0].user == "anna" && steps[0].secret?.reveal() == "482915" && steps[0].authenticator == .pin)
        #expect(steps[0].evidence != nil && steps[0].keepsOnNewBiometrics && !steps[0].allowsPasscodeFallback)
        #expect(
            steps[1].reactions == [
                .wrongSecret, .deny, .enter("12 34"), .after(.seconds(2), .after(.seconds(60), .drop)), .vanish,
                .approve,
            ])
        #expect(steps[1].expectation == "userCanceled" && steps[0].expectation == "ok")
        #expect(steps[2].secret?.reveal() == "482915" && steps[2].newSecret?.reveal() == "593026")
        #expect(steps[3].user == "bert" && steps[3].authenticator == nil)
        #expect(steps[4].authenticator == .face)
        #expect(steps[5].accounts == ["anna"])
        #expect(steps[6].pause == .milliseconds(250))
    }

    @Test("An unknown key is refused with its line and the key that was probably meant")
    func unknownKeys() {
        let text = """
            steps:
              - do: authenticate
                user: anna
                secrt: "482915"
            """
        #expect(complaints(text) == ["script.yml:4:5: steps.0.secrt: unknown setting, did you mean \"secret\"?"])
        #expect(complaints("stps: []").contains { $0.contains("did you mean \"steps\"?") })
    }

    @Test(
        "A key of another action, an action or reaction that does not exist, and what is missing are refused",
        arguments: [
            ("{ do: authenticate, user: anna, new-secret: \"1\" }", "new-secret: unknown setting"),
            ("{ do: list, user: anna }", "user: unknown setting"),
            ("{ do: dance, user: anna, secret: \"1\" }", "do: must be one of register"),
            ("{ user: anna }", "do: must be given"),
            ("{ do: authenticate }", "user: must be given"),
            ("{ do: wait }", "for: must be given"),
            ("{ do: wait, for: 10 }", "for: expected a duration"),
            ("{ do: pin-change, user: anna }", "new-secret: must be given"),
            ("{ do: authenticate, user: anna, secret: 482915 }", "secret: expected a text"),
            ("{ do: authenticate, user: anna, authenticator: nose }", "authenticator: must be one of pin"),
            ("{ do: authenticate, user: anna, reactions: [sing] }", "reactions.0: must be one of approve"),
            ("{ do: authenticate, user: anna, reactions: [\"after drop\"] }", "reactions.0: must be one of approve"),
            ("{ do: authenticate, user: anna, reactions: [enter] }", "reactions.0: must be one of approve"),
            ("{ do: register, user: anna, token: a, login-password: b }", "token: give a password or a token"),
            ("{ do: authenticate, user: anna, secret-file: /absent }", "secret-file: cannot read /absent"),
        ])
    func mistakes(step: String, complaint: String) {
        let found = complaints("steps:\n  - \(step)\n")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("steps.0." + complaint) == true, "\(found)")
    }

    @Test("Without steps, and without YAML, there is no script")
    func noScript() {
        #expect(complaints("user: anna") == ["script.yml:1:1: steps: must be given"])
        #expect(complaints("steps: [").first?.contains("not YAML") == true)
        #expect(complaints("- do: list").isEmpty == false)
    }

    @Test("A secret comes from a file, and not from two places")
    func secretFiles() throws {
        let folder = try TestSupport.TemporaryFolder()
        try PrivateFile(path: folder.path + "/pin").write("482915")
        let step = "do: authenticate, user: anna, secret-file: \(folder.path)/pin"
        #expect(try read("steps: [{ \(step) }]").first?.secret?.reveal() == "482915")
        #expect(complaints("steps: [{ \(step), secret: \"1\" }]").first?.contains("not both") == true)
        try folder.setPermissions(0o644, of: "pin")
        #expect(complaints("steps: [{ \(step) }]").first?.contains("chmod 600") == true)
    }

    @Test("A mistake never shows what stands in the place of a secret")
    func silence() {
        let text = "steps: [{ do: authenticate, user: anna, secret: 271828, reactions: [\"entr 314159\"] }]"
        let found = complaints(text).joined()
        #expect(!found.contains("271828") && !found.contains("314159"))
    }
}
