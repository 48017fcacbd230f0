import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON

/// Words of a short command for an operation of the administration API: what people type, and what they see.
///
/// All else is the same for every operation, and stands in ``OperationCommand``.
protocol OperationWords: ParsableArguments {
    associatedtype Manner: OperationManner = Changing

    static var configuration: CommandConfiguration { get }

    /// Requests that the words ask for: more than one where they select several objects.
    func steps(on server: some AdministrationConnection) async throws -> [OperationStep]
    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText
    /// Outcome of a command that writes something of the answer to a file; nil: the answer is shown.
    func outcome(of reply: AdministrationReply) throws -> CommandReport.Outcome?
}

/// Words that ask for one request, whatever the server has.
protocol SingleRequest: OperationWords {
    var step: OperationStep { get throws }
}

extension SingleRequest {
    func steps(on server: some AdministrationConnection) throws -> [OperationStep] { [try step] }
}

/// One request of a command.
struct OperationStep {
    var request: AdministrationRequest
    /// Words of the command when it is done; without them the answer is shown.
    var done: TerminalText?

    init(_ request: AdministrationRequest, done: TerminalText? = nil) { (self.request, self.done) = (request, done) }

    init(
        _ operation: AdministrationOperation, _ object: String? = nil, query: KeyValuePairs<String, String?> = [:],
        members: JSONObject? = nil, done: TerminalText? = nil
    ) {
        self.init(AdministrationRequest(operation, object, query: query, members: members), done: done)
    }
}

/// Options that all commands of a manner have.
protocol OperationManner: ParsableArguments {
    var reason: String? { get }
    /// Parameters of the page that a list begins with.
    var page: (after: String?, limit: Int, isWhole: Bool)? { get }
}

/// Command that changes something.
struct Changing: OperationManner {
    @Option(
        name: [.customLong("reason"), .customShort("m")],
        help: ArgumentHelp("Why, in 3 to 256 characters; the audit keeps it.", valueName: "text"))
    var why: String

    var reason: String? { why }
    var page: (after: String?, limit: Int, isWhole: Bool)? { nil }

    func validate() throws { _ = try AdministrationRequest.reason(why) }
}

/// Command that shows something.
struct Showing: OperationManner {
    var reason: String? { nil }
    var page: (after: String?, limit: Int, isWhole: Bool)? { nil }
}

/// Command for a list over users, which is read page by page in the order of their names.
struct Listing: OperationManner {
    private static let limits = 1...1_000

    @Option(name: .long, help: ArgumentHelp("Begin after the user of this name.", valueName: "name"))
    var after: String?

    @Option(name: .long, help: ArgumentHelp("Users of one page, 1 to 1000.", valueName: "count"))
    var limit = 1_000

    @Flag(
        name: .long,
        help: "Print all pages, each as soon as it is read; with --format json one object per line for each.")
    var all = false

    var reason: String? { nil }
    var page: (after: String?, limit: Int, isWhole: Bool)? { (after, limit, all) }

    func validate() throws {
        guard Self.limits.contains(limit) else { throw ValidationError("A page has 1 to 1000 users.") }
    }
}

/// Short command for one operation; it reads the version of what it changes, and goes through the pages of a list.
struct OperationCommand<Words: OperationWords>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Words.configuration }

    @OptionGroup var words: Words
    @OptionGroup var manner: Words.Manner
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func run() async throws {
        let report = options.commandReport
        try await report.runSilently {
            try await place.ask(options) { server in try await perform(on: server) { report.announce($0) } }
        }
    }

    /// Passes what was done, or each page of a list, to `show`.
    func perform(
        on server: some AdministrationConnection, _ show: (CommandReport.Outcome) -> Void
    ) async throws {
        let page = manner.page
        var lines: [TerminalText] = []
        var results: [JSONValue] = []
        for var step in try await words.steps(on: server) {
            try step.request.say(why: manner.reason)
            if let page { step.request.turn(to: page.after, limit: page.limit) }
            try await server.pages(of: step.request, isWhole: page?.isWhole ?? false) { reply in
                if let outcome = try words.outcome(of: reply) { return show(outcome) }
                guard let done = step.done else { return show(reply.outcome(words, isWhole: page?.isWhole ?? true)) }
                lines.append(done)
                results.append(reply.values.first ?? .object(["id": step.request.object.map { .string($0) }]))
            }
        }
        guard !lines.isEmpty else { return }
        show(CommandReport.Outcome(text: TerminalText(lines), result: ["done": .array(results)]))
    }
}

extension OperationWords {
    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText { reply.outcome(isWhole: isWhole).text }
    func outcome(of reply: AdministrationReply) throws -> CommandReport.Outcome? { nil }
}

extension AdministrationReply {
    /// The answer as the short command of an operation shows it: for programs its members as they are.
    fileprivate func outcome(_ words: some OperationWords, isWhole: Bool) -> CommandReport.Outcome {
        var lines = [words.text(of: self, isWhole: isWhole)]
        if let next, !isWhole { lines.append("There are more: --after=\(ShellWord.quoted(next)), or --all.") }
        let members = (try? values.first?.asObject()) ?? [:]
        return CommandReport.Outcome(text: TerminalText(lines), result: members)
    }
}
