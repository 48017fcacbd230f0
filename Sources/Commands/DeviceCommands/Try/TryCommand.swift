import ArgumentParser
import CommandSupport
import Foundation
import Octets
import StrictJSON
import UnixSignals

/// `signet try`: a server, a shop and a phone on this machine, to be used by a person in the browser.
struct TryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Starts a server, a shop and a phone here, to sign in and pay in the browser.",
        discussion: """
            Open the phone first, and register it: the invitation is among what is pending. Then sign in at the shop, \
            pay, lose the phone, and play the attacks. Ctrl-C ends everything; without --folder nothing is left.
            """)

    @Option(help: ArgumentHelp("Keep everything in this folder, and go on there next time.", valueName: "DIR"))
    var folder: String?

    @Flag(help: "Does not open the browser; the two addresses are printed in any case.")
    var noOpen = false

    @Option(help: ArgumentHelp("Write every exchange of the phone into this folder, masked.", valueName: "DIR"))
    var record: String?

    @Option(help: ArgumentHelp("The port of the shop on 127.0.0.1.", valueName: "N"))
    var shopPort = 8_180

    @Option(help: ArgumentHelp("The port of the phone on 127.0.0.1.", valueName: "N"))
    var phonePort = 8_181

    func validate() throws {
        guard (1...65_535).contains(shopPort), (1...65_535).contains(phonePort), shopPort != phonePort else {
            throw ValidationError("--shop-port and --phone-port are two ports from 1 to 65535.")
        }
    }

    func run() async throws {
        try await CommandReport(program: .phone, format: .text).runSilently {
            let programs = try Programs.besideThisOne()
            let shop = try TryShopFile.find(
                besides: programs.phone, path: ProcessInfo.processInfo.environment["PATH"])
            let processes = try TryProcesses(
                folder: folder.map { URL(filePath: $0, directoryHint: .isDirectory) })
            let stage = TryStage(
                folder: processes.folder, shopPort: shopPort, phonePort: phonePort, record: record, programs: programs,
                shop: shop,
                processes: processes)
            do {
                try await play(stage)
            } catch {
                await processes.stop()
                throw error
            }
            await processes.stop()
        }
    }

    /// Starts everything and waits for Ctrl-C, which may come at any time; throws what ended by itself.
    private func play(_ stage: TryStage) async throws {
        let opens = !noOpen
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { return }
            }
            group.addTask {
                let addresses = try await stage.start { StandardError.write($0 + "\n") }
                Self.announce(addresses)
                if opens { Self.open(addresses, stage) }
                throw try await stage.processes.firstEnd()
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    private static func announce(_ addresses: TryStage.Addresses) {
        CommandReport(program: .phone, format: .text).announce(
            CommandReport.Outcome(
                text: """
                    The phone: \(addresses.phone.reveal())
                    The shop:  \(addresses.shop)
                    Open the phone first: its address lets in once. Ctrl-C ends everything.
                    """, result: [:]))
    }

    /// Opens both pages, the phone by a private file, because its address lets in and arguments can be read by others.
    private static func open(_ addresses: TryStage.Addresses, _ stage: TryStage) {
        let opener = URL(filePath: "/usr/bin/xdg-open")
        guard FileManager.default.isExecutableFile(atPath: opener.path()) else { return }
        let file = stage.folder.appending(path: "open.html")
        let entry = addresses.phone.reveal()
        let page = "<meta http-equiv=refresh content=\"0; url=\(entry)\">"
        guard (try? PrivateFile(path: file.path()).write(page)) != nil else { return }
        for (name, place) in [("open-phone", file.path()), ("open-shop", addresses.shop)] {
            _ = try? ChildProcess(opener, [place], folder: stage.folder, name: name)
        }
    }
}
