import ArgumentParser
import Foundation
import MobileAuthentication
import StrictJSON

/// `signet device pending`: what waits for the phone at its servers.
struct DevicePending: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Asks the servers of this phone what waits for it: for lost push messages.",
        discussion: "signet device approve and deny answer what is listed here.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, network) { Self.outcome(try await $0.pendingOperations()) }
        }
    }

    private static func outcome(_ waiting: [PendingOutOfBandOperation]) -> CommandReport.Outcome {
        let list = PendingList(waiting)
        return CommandReport.Outcome(text: list.text, result: JSONObject(["operations": .array(list.json)]))
    }
}
