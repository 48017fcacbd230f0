import ArgumentParser
import CommandSupport
import ServerCore
import UAF
import UAFService

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
        if let after, UserName(after) == nil { throw ValidationError("\(after) cannot be the name of a user.") }
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
