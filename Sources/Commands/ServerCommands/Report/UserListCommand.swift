import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

protocol ListedRow {
    static var head: [String] { get }

    /// Table cells in the order of ``head``.
    var cells: [String] { get }
    var json: JSONValue { get }
}

/// Command that lists what users have, page by page in the order of their names.
protocol UserListCommand: AsyncParsableCommand {
    associatedtype Row: ListedRow

    static var member: String { get }
    static var empty: TerminalText { get }
    /// Name or external id of the only user to list; nil for all.
    var user: String? { get }
    var paging: ListPaging { get }
    var options: ServerOptions { get }

    func rows(of user: User, on services: ServerServices) async throws -> [Row]
}

extension UserListCommand {
    func run() async throws {
        try await options.reportPages(paging) { installation, position in
            try await page(on: installation.services, after: position)
        }
    }

    func page(on services: ServerServices, after position: UserName?) async throws -> ListPage {
        let users = try await paging.users(of: services.users, named: user, after: position)
        var listed: [Row] = []
        for user in users.users { listed += try await rows(of: user, on: services) }
        let table = TextTable(head: Row.head, rows: listed.map(\.cells))
        return ListPage(
            Self.member, listed.map(\.json), text: table.text, empty: Self.empty, of: users, paging: paging)
    }
}
