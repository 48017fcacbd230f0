import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

struct ListPage {
    /// The page, with the member `next` in its result.
    private(set) var outcome: CommandReport.Outcome
    /// Name behind which the next page begins; nil for the last page.
    let next: UserName?

    /// Page whose entries are the member `name` of the result.
    ///
    /// The text says how the list goes on; a list without any entry shows `empty`.
    init(
        _ name: String, _ objects: [JSONValue], text: TerminalText, empty: TerminalText, of users: UserService.Page,
        paging: ListPaging
    ) {
        let isWhole = users.next == nil && paging.after == nil && !paging.all
        next = users.next
        var lines: [TerminalText] = []
        if !objects.isEmpty { lines.append(text) } else if isWhole { lines.append(empty) }
        if let next, !paging.all {
            lines.append("There are more: --after=\(next.shell), or --all.")
        }
        outcome = CommandReport.Outcome(
            text: TerminalText(lines),
            result: [name: .array(objects), "next": next.map { .string($0.text) } ?? .null])
    }
    /// The page with the number of all entries, which the last one also says in its text.
    func counting(_ total: Int, _ name: String, in paging: ListPaging) -> ListPage {
        var page = self
        page.outcome.result.append("total", .integer(Int64(total)))
        if total > 0, next == nil || !paging.all { page.outcome.text += "\nNumber of all \(name): \(total)" }
        return page
    }
}

/// Options of a list over users, which is read page by page in the order of their names.
struct ListPaging: ParsableArguments {
    private static let limits = 1...10_000

    @Option(name: .long, help: ArgumentHelp("Begin after the user of this name.", valueName: "name"))
    var after: String?

    @Option(name: .long, help: ArgumentHelp("Users of one page, 1 to 10000.", valueName: "count"))
    var limit = 1_000

    @Flag(
        name: .long,
        help: "Print all pages, each as soon as it is read; with --format json one object per line for each.")
    var all = false

    func validate() throws {
        guard Self.limits.contains(limit) else { throw ValidationError("A page has 1 to 10000 users.") }
        if let after, UserName(after) == nil {
            throw ValidationError("\(ForeignText.name(after)) cannot be the name of a user.")
        }
    }

    /// Name behind which the list begins; nil for the beginning.
    var position: UserName? { after.flatMap { UserName($0) } }

    func users(
        of service: UserService, named name: String? = nil, after position: UserName?
    ) async throws(ServerError) -> UserService.Page {
        guard let name else { return try await service.page(after: position, limit: limit) }
        return UserService.Page(users: [try await service.user(named: name)], next: nil)
    }
}

extension ServerOptions {
    /// Reports a list: its first page, or all of them, each before the next one is read.
    func reportPages(
        _ paging: ListPaging, expecting expectation: EmptyDatabase.Expectation = .any,
        _ page: (ServerInstallation, UserName?) async throws -> ListPage
    ) async throws {
        let report = commandReport
        try await reportWriting(expecting: expectation) { installation in
            var position = paging.position
            while true {
                let read = try await page(installation, position)
                report.announce(read.outcome)
                guard paging.all, let next = read.next else { return }
                position = next
            }
        }
    }
}
