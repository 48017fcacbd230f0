import ArgumentParser
import CommandSupport
import Foundation
import MobileAuthentication
import StrictJSON

struct DevicePending: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "Ask the servers of this phone what waits for it, for example after a lost push message.",
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

struct DeviceApprove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Confirm an operation that waits for this phone, or that a push message has brought.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var answer: AnswerOptions
    @OptionGroup var operation: OperationSourceOptions

    func run() async throws {
        try await phone.report {
            try await answer.answer(on: phone.folder) { try await operation.payload(for: $0) }
        }
    }
}

struct DeviceDeny: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: "Refuse an operation that waits for this phone, or that a push message has brought.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var operation: OperationSourceOptions

    @Flag(help: "Tell the server that the user did not begin it.")
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

struct DeviceOpen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a link, as the phone's browser would, and do what the server has begun.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var answer: AnswerOptions

    @Argument(
        help: ArgumentHelp(
            """
            The link, or a file that holds it; its parameter dispatchTokenResponse brings the operation. - reads it \
            from standard input.
            """,
            valueName: "LINK"))
    var link: String

    func validate() throws {
        switch PayloadSource(link) {
        case .text(let text) where !text.contains(":"):
            throw ValidationError("A link begins with https: or a scheme, and there is no such file.")
        case .text, .file, .standardInput: break
        }
    }

    func run() async throws {
        try await phone.report {
            try await answer.answer(on: phone.folder) { try PayloadSource(link).payload(of: $0.client) }
        }
    }
}

struct DeviceScan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Read a QR code and do what the server has begun with it.",
        discussion: """
            SOURCE is a picture (PNG), a file with the text of a code or of a push message, such a text itself, or - for \
            standard input. A code works once, and only for servers that this phone knows.
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

/// Options that select the operation to answer: one that is pending at a server, or a payload delivered in another way.
struct OperationSourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            A file with a push message (signet device listen --out), a picture, a text, or - for standard input; without \
            it the servers are asked what waits for this phone.
            """, valueName: "SOURCE"))
    var source: String?

    @Option(help: ArgumentHelp("The operation, by its number in signet device pending.", valueName: "N"))
    var number: Int?

    func validate() throws {
        guard source == nil || number == nil else { throw ValidationError("Give SOURCE or --number, not both.") }
        guard number.map({ $0 > 0 }) ?? true else { throw ValidationError("Operations are numbered from 1.") }
    }

    func payload(for phone: Phone) async throws -> OutOfBandPayload {
        if let source { return try PayloadSource(source).payload(of: phone.client) }
        return try await phone.pendingOperation(number: number).payload
    }
}
