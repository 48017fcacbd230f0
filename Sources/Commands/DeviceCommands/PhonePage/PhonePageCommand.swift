package import ArgumentParser
import CommandSupport
import Foundation
import MobileAuthentication
import Octets
import PhonePage
import StrictJSON
import UnixSignals

package struct PhonePageCommand: AsyncParsableCommand {
    enum Vault: String, ExpressibleByArgument, CaseIterable {
        case platform
        /// Encrypted files, which are only as safe as the account that owns them.
        case software
    }

    package static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Run a phone in the browser: a page of this machine, with the real SDK behind it.",
        discussion: """
            The folder is a phone of signet device, whose commands can use it when the page is closed. Without a phone in \
            the folder the command makes one for --server. The printed address works once: open it in the browser that is \
            to be the phone. Ctrl-C ends the page.
            """)

    @Option(help: ArgumentHelp("The folder that is the phone (default ~/.signet-phone).", valueName: "DIR"))
    var folder: String?

    @Option(help: "Where to keep the keys of a new phone: platform (a TPM 2.0; default) or software (files).")
    var vault = Vault.platform

    @Option(
        help: ArgumentHelp(
            "The port, at an address of 127/8 that is new at each start; 0 takes a free one.", valueName: "N"))
    var port = 0

    @Option(
        help: ArgumentHelp(
            "A private file with the host, drawn before for links that lead here.", valueName: "FILE",
            visibility: .hidden))
    var hostFile: String?

    @Option(
        help: ArgumentHelp(
            "Write port and address into this file when the page can be opened; only its owner may read it.",
            valueName: "FILE"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with a link that waits on the phone from the start, such as an invitation.", valueName: "FILE"))
    var linkFile: String?

    @Flag(help: "Open the address in the browser.")
    var open = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var push: PushOptions

    package init() {}

    /// Host for a page to come, for its file.
    package static var freshHost: String { PhonePageHost.fresh.address }

    package func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
    }

    package func run() async throws {
        try await CommandReport(program: .phone, format: .text).runSilently {
            let place = PhoneFolder(path: folder ?? NSHomeDirectory() + "/.signet-phone")
            try await PhoneSetup(folder: place, vault: vault, network: network, push: push).makeWhereMissing()
            let isLost = try await Phone.use(place, network) { try await serve($0) }
            guard isLost else { return }
            try await VirtualDevice.destroyKeys(inDirectory: place.path)
            try? FileManager.default.removeItem(atPath: place.path)
        }
    }

    private func chosenHost() throws -> PhonePageHost? {
        guard let hostFile else { return nil }
        guard let host = PhonePageHost(try SecretFile(path: hostFile).text()) else {
            throw CommandFailure.local("HostUnusable", "\(hostFile) holds no address of 127/8")
        }
        return host
    }

    /// Serves the page until a signal comes; true when the phone was lost.
    private func serve(_ phone: Phone) async throws -> Bool {
        let ports = PhonePageFolder(phone)
        let page = PagePhone(client: phone.client, ports: ports)
        if let linkFile {
            let link = try PayloadSource.file(linkFile).text().trimmingCharacters(in: .whitespacesAndNewlines)
            await page.arrived(Sensitive(link), title: nil)
        }
        let listening = Task { [folder = phone.folder] in await PhonePagePushes(folder: folder, page: page).listen() }
        defer { listening.cancel() }
        let (port, file, opens) = (port, readyFile, open)
        let host = try chosenHost() ?? .fresh
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await PhonePage.serve(phone: page, host: host, port: port) { address in
                        try PhonePageEntrance(address: address, readyFile: file, opens: opens).announce()
                    }
                }
                group.addTask {
                    for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { return }
                }
                _ = try await group.next()
                group.cancelAll()
            }
        } catch PhonePageFailure.portTaken(let number) {
            throw CommandFailure.local("PortTaken", "port \(number) is taken: choose another with --port, or 0")
        } catch PhonePageFailure.unavailable(let reason) {
            throw CommandFailure.local("PageFailed", "the page cannot be served: \(reason)")
        }
        return ports.isLost
    }
}

/// Making of the phone that a page is to show, where the folder has none yet.
struct PhoneSetup {
    let folder: PhoneFolder
    let vault: PhonePageCommand.Vault
    let network: NetworkOptions
    let push: PushOptions

    /// Makes a phone unless there is one; throws ``CommandFailure`` when no server is named for it.
    func makeWhereMissing() async throws {
        guard !FileManager.default.fileExists(atPath: folder.path + "/phone.json") else { return }
        guard let server = network.server else {
            throw CommandFailure.local(
                "NoDevice", "there is no phone in \(folder.path): give --server URL to make one")
        }
        _ = try Phone.address(server)
        let settings = PhoneSettings(
            server: server, name: "Phone in the browser",
            authorities: try network.ca.map { String(decoding: try AuthorityFile.read($0), as: UTF8.self) })
        let subscription = try await push.subscribe()
        let keys: DeviceKeys =
            vault == .software ? .software : .trustedPlatformModule(connection: DeviceKeys.systemConnection)
        do {
            try await folder.create(try DeviceSettings(.linux, keys: keys), settings)
        } catch VirtualDeviceError.unusableKeys(let cause) where keys != .software {
            var failure = CommandFailure(reporting: VirtualDeviceError.unusableKeys(cause))
            failure.message +=
                "; --vault software keeps the keys in files, which every program of this account can copy"
            throw failure
        }
        if let subscription { try folder.keep(subscription) }
    }
}
