import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device list`: who is registered on the phone.
struct DeviceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows who is registered on this phone, with which authenticators.")

    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder) { try await perform(on: $0) } }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let data = device.client.localData
        let rows = data.accounts.map { account in
            (account, data.authenticators.filter { $0.registration.isRegistered(account.username) }.map(\.aaid))
        }
        let lines = rows.map { "\($0.username)  \($0.server.baseUrl.absoluteString)  \($1.joined(separator: " "))" }
        return CommandReport.Outcome(
            text: lines.isEmpty ? "Nobody is registered on this phone." : lines.joined(separator: "\n"),
            result: JSONObject([
                "accounts": .array(
                    rows.map { account, aaids in
                        .object(
                            JSONObject([
                                "username": .string(account.username),
                                "server": .string(account.server.baseUrl.absoluteString),
                                "authenticators": .array(aaids.map(JSONValue.string)),
                            ]))
                    })
            ]))
    }
}
