import CommandSupport
import Foundation
import Octets

/// Trial that a program plays in a headless Chromium, as a person would.
struct TryCheck {
    private static let packages = "chromium chromium-driver python3-selenium"

    let stage: TryStage
    /// Whether the phone is lost in the end, which a folder that is kept would not survive.
    let losesPhone: Bool

    /// Plays it, and prints a line for each step.
    ///
    /// Throws ``CommandFailure``: `CheckFailed` when a step did not go as it has to, `BrowserMissing` without Chromium
    /// and what drives it, `PhoneOfAPerson` for a phone whose PIN only its owner knows.
    func play(_ scene: TryStage.Scene) async throws {
        let mark = stage.folder.appending(path: "checked")
        guard !scene.isRegistered || FileManager.default.fileExists(atPath: mark.path()) else {
            throw CommandFailure.local(
                "PhoneOfAPerson",
                "--check does not know the PIN that you gave the phone of this folder: name another --folder")
        }
        try Data().write(to: mark)
        let profile = try TemporaryFolder(named: "signet-try-browser")
        defer { withExtendedLifetime(profile) {} }
        let process = try ChildProcess(
            stage.files.python, ["-B", stage.files.check.path()],
            environment: [
                "SHOP": scene.shop, "PHONE": scene.phone.reveal(), "ISSUER": scene.issuer, "PERSON": TryStage.user,
                "PROFILE": profile.url.path(), "IS_REGISTERED": scene.isRegistered ? "1" : "",
                "LOSES_PHONE": losesPhone ? "1" : "",
            ], folder: stage.folder, name: "check")
        stage.processes.add(process, named: "the check")
        await show(process)
        let ending = await process.ending()
        switch ending.code {
        case 0: return
        case 3:
            throw CommandFailure.local(
                "BrowserMissing", "--check drives a browser, which is missing here: apt-get install \(Self.packages)")
        default:
            throw CommandFailure.refused(
                "CheckFailed", "a step failed. \(ending.complaints.suffix(600))")
        }
    }

    private func show(_ process: ChildProcess) async {
        var shown = 0
        while true {
            let isRunning = process.isRunning
            let lines = process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            for line in lines.dropFirst(shown) { print(line) }
            fflush(nil)
            shown = max(shown, lines.count)
            guard isRunning, (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
        }
    }
}
