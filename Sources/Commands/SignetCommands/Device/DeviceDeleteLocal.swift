import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device delete-local`: forgets a user's keys without asking the server.
struct DeviceDeleteLocal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-local",
        abstract: "Forgets a user's keys on this phone; the server is not asked and keeps its records.")

    @OptionGroup var phone: PhoneOptions

    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String

    @Option(help: ArgumentHelp("Only the key of this authenticator.", valueName: "AAID"))
    var aaid: String?

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder, nil, perform) }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        try await device.client.localData.removeAuthenticator(username: user, aaid: aaid)
        return CommandReport.Outcome(
            text: "This phone has no keys of \(user) any more. The server still has their records.",
            result: JSONObject(["username": .string(user)]))
    }
}
