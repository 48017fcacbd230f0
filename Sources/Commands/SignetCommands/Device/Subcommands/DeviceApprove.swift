import ArgumentParser

/// `signet device approve`: says yes to what a server has begun.
struct DeviceApprove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Confirms what waits for this phone, or what a push message has brought.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var answer: AnswerOptions
    @OptionGroup var operation: OperationSourceOptions

    func run() async throws {
        try await phone.report {
            try await answer.answer(on: phone.folder) { try await operation.payload(for: $0) }
        }
    }
}
