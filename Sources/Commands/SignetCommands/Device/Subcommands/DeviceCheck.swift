import ArgumentParser
import StrictJSON

/// `signet device check`: whether phone and servers agree.
struct DeviceCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compares what this phone and its servers know of each other; changes nothing.",
        discussion: "signet device sync mends what is found.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, network) { phone in
                let list = MismatchList(try await phone.mismatches())
                return CommandReport.Outcome(text: list.text, result: JSONObject(["mismatches": .array(list.json)]))
            }
        }
    }
}
