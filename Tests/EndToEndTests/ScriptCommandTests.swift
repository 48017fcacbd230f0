import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("Scripts of a user", .serialized)
struct ScriptCommandTests {
    /// How a script ended: the exit code, and the outcome of each step.
    private struct Play {
        let code: Int32
        let outcomes: [String]
        let isAsExpected: Bool
    }

    /// The script was refused as a whole.
    private struct NotPlayed: Error { let reason: String }

    private func play(_ script: String, on phone: PhoneProcess) async throws -> Play {
        let file = phone.logs.appending(path: "script-\(UUID().uuidString.prefix(8)).yml")
        try Data(script.utf8).write(to: file)
        let outcome = try await phone.run("script", [file.path()])
        guard case .array(let steps)? = outcome.answer["steps"] else {
            throw NotPlayed(reason: outcome.message)
        }
        let outcomes = steps.compactMap { step -> String? in
            guard case .object(let members) = step, case .string(let name)? = members["outcome"] else { return nil }
            return name
        }
        return Play(code: outcome.code, outcomes: outcomes, isAsExpected: outcome.answer["ok"] == .bool(true))
    }

    /// A phone whose server does not run.
    private static func offlinePhone(of installation: Installation) async throws -> PhoneProcess {
        let phone = PhoneProcess(
            program: installation.programs.phone, folder: installation.scratch.url.appending(path: "phone"),
            logs: installation.scratch.url)
        _ = try await phone.run("init", ["--server", "https://localhost:1", "--keys", "software"])
        return phone
    }

    @Test("A script registers, mistypes, cancels, changes, lists and removes, and every step ends as it says")
    func everything() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await installation.phone("phone")
        let play = try await play(
            """
            user: anna
            secret: "572914"
            login-password-file: \(installation.server.passwordFile(of: "anna").path())
            steps:
              - { do: authenticate, expect: noSuitableAuthenticator }
              - { do: register, authenticator: pin, reactions: [approve, "enter 12", approve] }
              - { do: register, authenticator: password, expect: "1401" }
              - { do: authenticate, reactions: [approve, wrong-secret, "after 10ms approve"] }
              - { do: authenticate, reactions: [deny], expect: userCanceled }
              - { do: authenticate, reactions: [approve, drop], expect: FidoError }
              - { do: pin-change, new-secret: "572914", reactions: [approve, deny], expect: UserCanceled }
              - { do: pin-change, new-secret: "730528" }
              - { do: authenticate, secret: "730528" }
              - { do: password-change, new-secret: b, expect: PasswordNotEnrolled }
              - { do: list, accounts: [anna] }
              - { do: wait, for: 1ms }
              - { do: deregister, secret: "730528" }
              - { do: list, accounts: [] }
              - { do: register, authenticator: password, secret: "correct horse" }
              - { do: delete-local }
              - { do: list, accounts: [] }
            """, on: phone)
        #expect(play.isAsExpected && play.code == 0, "\(play.outcomes)")
        #expect(play.outcomes.count == 17)
    }

    @Test("A script with one unexpected end goes on, says which, and ends with 1")
    func unexpected() async throws {
        let installation = try Installation()
        defer { withExtendedLifetime(installation) {} }
        let phone = try await Self.offlinePhone(of: installation)
        let play = try await play(
            """
            steps:
              - { do: list, accounts: [anna] }
              - { do: delete-local, user: anna }
            """, on: phone)
        #expect(play.code == 1 && !play.isAsExpected)
        #expect(play.outcomes == ["OtherAccounts", "ok"])
    }

    @Test("A script with a mistake plays nothing and ends with 2, naming line and key")
    func mistake() async throws {
        let installation = try Installation()
        defer { withExtendedLifetime(installation) {} }
        let phone = try await Self.offlinePhone(of: installation)
        let file = phone.logs.appending(path: "bad.yml")
        try Data("steps:\n  - do: list\n    acounts: []\n".utf8).write(to: file)
        let outcome = try await phone.run("script", [file.path()])
        #expect(outcome.code == 2 && outcome.error == "ScriptInvalid")
        #expect(outcome.message.hasSuffix("bad.yml:3:5: steps.0.acounts: unknown setting, did you mean \"accounts\"?"))
    }

    @Test("A person reads one line for each step")
    func lines() async throws {
        let installation = try Installation()
        defer { withExtendedLifetime(installation) {} }
        let phone = try await Self.offlinePhone(of: installation)
        let file = phone.logs.appending(path: "short.yml")
        try Data("steps: [{ do: list, accounts: [] }, { do: list, accounts: [anna] }]".utf8).write(to: file)
        let process = try ChildProcess(
            phone.program, ["device", "script", "--device", phone.folder.path(), file.path()], folder: phone.logs,
            name: "lines")
        let ending = await process.ending()
        #expect(ending.code == 1)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.first == "✔ 1 list: ok")
        #expect(lines.last == "✘ 2 list: OtherAccounts, expected ok: registered on this phone: no user")
    }
}
