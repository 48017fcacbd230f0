import ArgumentParser

/// `signet device deny`: says no to what a server has begun.
struct DeviceDeny: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Refuses what waits for this phone, or what a push message has brought.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var operation: OperationSourceOptions

    @Flag(help: "Tells the server that the user did not begin it.")
    var report = false

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, network) { phone in
                let person = await PhoneUser(reply: OperationReply(verdict: report ? .report : .deny))
                return try await phone.answer(try await operation.payload(for: phone), as: person).outcome
            }
        }
    }
}
