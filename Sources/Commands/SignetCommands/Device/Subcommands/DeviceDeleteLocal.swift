import ArgumentParser
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// `signet device delete-local`: forgets a user's keys without asking the server.
struct DeviceDeleteLocal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-local",
        abstract: "Forgets a user's keys on this phone; the server is not asked and keeps its records.",
        discussion: """
            The server is told at the next contact: by signet device sync, by deregister --jws, or by the next registration \
            of the user. Until then it counts the old key. deregister takes keys off both sides at once.
            """)

    @OptionGroup var phone: PhoneOptions

    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String

    @OptionGroup var selection: KeySelectionOptions

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder) { try await perform(on: $0) } }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        try await device.device.deleteLocally(user, aaid: selection.aaid(on: device.device))
        let keys = selection.isEverything ? "no keys" : "no such key"
        return CommandReport.Outcome(
            text:
                "This phone has \(keys) of \(user) any more. The server still has its records; signet device sync, or "
                + "the next registration of \(user), tells it.",
            result: JSONObject(["username": .string(user)]))
    }
}
