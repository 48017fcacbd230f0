import ArgumentParser
import StrictJSON
import VirtualDevice

/// `signet device init`: a new phone.
struct DeviceInit: AsyncParsableCommand {
    /// What protects the keys of the phone.
    enum Keys: String, ExpressibleByArgument, CaseIterable {
        /// Encrypted files; as safe as the account that owns them.
        case software
    }

    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Makes a new phone in a folder.")

    @OptionGroup var phone: PhoneOptions

    @Option(help: ArgumentHelp("Where the server is.", valueName: "URL"))
    var server: String

    @Option(help: ArgumentHelp("Certificates (PEM) to trust besides the system's.", valueName: "FILE"))
    var ca: String?

    @Option(help: "What protects the keys; this machine offers software.")
    var keys: Keys

    @Option(help: ArgumentHelp("The application's bundle id; it makes the facet.", valueName: "ID"))
    var bundleID = "org.signet.demo"

    @Option(help: ArgumentHelp("The name of the phone.", valueName: "NAME"))
    var name = "Command line"

    func run() async throws {
        try await phone.report {
            _ = try Phone.address(server)
            let device = try DeviceSettings.iOSWithSoftwareKeys(bundleID: bundleID)
            let settings = PhoneSettings(
                server: server, name: name,
                authorities: try ca.map { String(decoding: try AuthorityFile.read($0), as: UTF8.self) })
            try phone.folder.create(device, settings)
            return CommandReport.Outcome(
                text: """
                    A phone is in \(phone.device).
                    Its keys are protected by software only: whoever reads the folder and learns the PIN has them.
                    """,
                result: JSONObject([
                    "device": .string(phone.device), "facetID": .string(device.facetText),
                    "keys": .string(keys.rawValue),
                ]))
        }
    }
}
