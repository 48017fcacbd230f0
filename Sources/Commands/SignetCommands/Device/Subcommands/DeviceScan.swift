import ArgumentParser

/// `signet device scan`: reads a QR code and does what it asks for.
struct DeviceScan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Reads a QR code and does what the server has begun with it.",
        discussion: """
            SOURCE is a picture (PNG), a file with the text of a code or of a push message, such a text itself, or - for \
            standard input. A code is good once, and only for servers that this phone knows.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var answer: AnswerOptions

    @Argument(help: ArgumentHelp("What to scan.", valueName: "SOURCE"))
    var source: String

    func run() async throws {
        try await phone.report {
            try await answer.answer(on: phone.folder) { try PayloadSource(source).payload(of: $0.client) }
        }
    }
}
