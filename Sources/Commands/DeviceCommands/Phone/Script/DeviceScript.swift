import ArgumentParser
import CommandSupport
import Foundation
import StrictJSON
import StrictYAML

struct DeviceScriptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "script",
        abstract: "Play a scripted user: a file says what they do and how each step has to end.",
        discussion: """
            The file is YAML. Each of its steps has a key do, and the keys of what it does:

              register         user, authenticator, secret, login-password or token, reactions,
                               allow-passcode-fallback, keep-on-new-biometrics
              authenticate     user, authenticator, secret, reactions
              pin-change, password-change    user, secret, new-secret, reactions
              deregister       user, authenticator, secret, login-password or token, reactions
              delete-local     user, authenticator
              list             accounts (who has to be registered)
              wait             for (such as 60s)

            expect is ok, the name of a failure (PinLocked), of a FIDO code (userLockout) or the status of the server \
            (1401). Secrets stand in the file or in files that it names (secret-file, new-secret-file, \
            login-password-file, token-file). user, authenticator, secret, login-password and token before the steps \
            hold for all of them. reactions say what the user does with the questions, one after the other: approve, \
            deny, wrong-secret, drop, vanish, "enter TEXT", "after 2s approve".
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var passcode: PasscodeOptions

    @Argument(help: ArgumentHelp("The script.", valueName: "FILE"))
    var script: String

    func run() async throws {
        let findings: [ScriptFinding]
        do {
            let script = try DeviceScript(file: script)
            findings = try await Phone.use(phone.folder, network, PhoneVerification(passcode)) { phone in
                await play(script, on: ScriptRunner(phone: phone))
            }
        } catch {
            return try await phone.report { throw error }
        }
        let isAsExpected = findings.allSatisfy(\.isAsExpected)
        if phone.format == .json {
            let answer = JSONObject(["ok": .bool(isAsExpected), "steps": .array(findings.map(\.json))])
            print(JSONWriter.text(.object(answer)))
        }
        guard isAsExpected else { throw ExitCode(CommandFailure.Kind.refused.rawValue) }
    }

    private func play(_ script: DeviceScript, on runner: ScriptRunner) async -> [ScriptFinding] {
        var findings: [ScriptFinding] = []
        for (index, step) in script.steps.enumerated() {
            let finding = await runner.play(step, number: index + 1)
            if phone.format == .text { FileHandle.standardOutput.write(Data((finding.line + "\n").utf8)) }
            findings.append(finding)
        }
        return findings
    }
}

struct DeviceScript: Sendable {
    let steps: [ScriptStep]

    /// Reads a script from a file; throws an error that lists all mistakes with line and column.
    init(file path: String) throws(CommandFailure) {
        let files = PosixFiles()
        guard let octets = files.contents(of: path), let text = String(validating: octets, as: UTF8.self) else {
            throw .local("ScriptUnreadable", "the script \(path) cannot be read")
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let source = ConfigurationSource(
            fileName: path, text: text, folder: folder.isEmpty ? "/" : folder, environment: [:], files: files)
        try self.init(source)
    }

    init(_ source: ConfigurationSource) throws(CommandFailure) {
        do throws(ConfigurationError) {
            steps = try source.read { $0.readScript() }
        } catch {
            throw .local("ScriptInvalid", error.description)
        }
    }
}
