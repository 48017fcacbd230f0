import ArgumentParser
import CommandSupport
import DeviceCommands
import Foundation
import Octets
import StrictJSON
import UnixSignals

struct TryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Start a server, a shop and a phone on this machine, to sign in and pay in the browser.",
        discussion: """
            It prints what to do: register the phone, sign in at the shop, pay, look at the receipt, play the attacks, \
            lose the phone. Open the printed addresses yourself. Ctrl-C ends everything; without --folder nothing is left.
            """)

    @Option(help: ArgumentHelp("Keep everything in this folder, and go on there next time.", valueName: "DIR"))
    var folder: String?

    @Flag(help: "Play all of it in a headless Chromium instead of waiting for you; exit code 0 when every step holds.")
    var check = false

    @Option(help: ArgumentHelp("Write every exchange of the phone into this folder, masked.", valueName: "DIR"))
    var record: String?

    @Option(help: ArgumentHelp("The port of the shop (default 8180).", valueName: "N"))
    var shopPort: Int?

    @Option(help: ArgumentHelp("The port of the phone (default 8181).", valueName: "N"))
    var phonePort: Int?

    func validate() throws {
        let ports = [shopPort, phonePort].compactMap(\.self)
        guard ports.allSatisfy((1...65_535).contains), Set(ports).count == ports.count else {
            throw ValidationError("--shop-port and --phone-port are two ports from 1 to 65535.")
        }
    }

    func run() async throws {
        try await CommandReport(program: .phone, format: .text).runSilently {
            let programs = try Programs.besideThisOne()
            let files = try TryFiles.find(besides: programs.phone, path: pathOfPython)
            let processes = try TryProcesses(
                folder: folder.map { URL(filePath: $0, directoryHint: .isDirectory) })
            do {
                var chosen: [TryPorts.Part: Int] = [:]
                chosen[.shop] = shopPort
                chosen[.phone] = phonePort
                try await play(
                    TryStage(
                        folder: processes.folder, ports: try TryPorts(folder: processes.folder, chosen: chosen),
                        record: record, programs: programs, files: files, processes: processes))
            } catch {
                await processes.stop()
                throw error
            }
            await processes.stop()
        }
    }

    /// Folders with a Python; the one of Debian comes first for the check, which needs a package of Debian.
    private var pathOfPython: String? {
        let path = ProcessInfo.processInfo.environment["PATH"]
        return check ? "/usr/bin:" + (path ?? "/usr/local/bin") : path
    }

    /// Starts everything and waits for Ctrl-C, which may come at any time; throws what ended by itself.
    private func play(_ stage: TryStage) async throws {
        let (isChecked, isKept) = (check, folder != nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { return }
            }
            group.addTask {
                let scene = try await stage.start()
                guard !isChecked else { return try await TryCheck(stage: stage, losesPhone: !isKept).play(scene) }
                CommandReport(program: .phone, format: .text).announce(
                    CommandReport.Outcome(text: Self.guide(scene, keptIn: isKept ? stage.folder : nil), result: [:]))
                throw try await stage.processes.firstEnd()
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Steps for the person, in words; `folder` is nil when nothing is kept.
    private static func guide(_ scene: TryStage.Scene, keptIn folder: URL?) -> TerminalText {
        let first: TerminalText =
            scene.isRegistered
            ? "Your phone is registered already; its PIN is the one that you have chosen."
            : """
            Press "Show" for the invitation, which is good for ten minutes, then "PIN", and choose six digits:
               no date, and none of the common ones, such as 123456.
            """
        let end =
            folder.map { "Ctrl-C ends everything; signet try --folder \($0.path()) continues later." }
            ?? "Ctrl-C ends everything, and nothing is left. With --folder you can go on later."
        return """
            You are \(TryStage.user). Open these two addresses in one browser:

            1. The phone: \(scene.phone.reveal())
               The address works once. \(first)
            2. The shop:  \(scene.shop)
               Press "Sign in with the phone". The browser warns of the certificate, which the server has made itself:
               go on. Press "Open the app on this device", which leads to the phone, and confirm there.
            3. Buy the umbrella, look at the receipt, play the attacks, and lose the phone in its settings.

            \(end)
            """
    }
}
