import ArgumentParser

/// `signet device open`: follows a link and does what it asks for.
struct DeviceOpen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens a link, as a browser of the phone would, and does what the server has begun.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var answer: AnswerOptions

    @Argument(
        help: ArgumentHelp(
            "The link; its parameter dispatchTokenResponse brings the operation. - reads it from standard input.",
            valueName: "LINK"))
    var link: String

    func validate() throws {
        guard link == "-" || link.contains(":") else { throw ValidationError("A link begins with https: or a scheme.") }
    }

    func run() async throws {
        try await phone.report {
            try await answer.answer(on: phone.folder) { phone in
                let source = link == "-" ? PayloadSource.standardInput : .text(link)
                return try source.payload(of: phone.client)
            }
        }
    }
}
