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
        _ name: String, _ objects: [JSONValue], text: String, empty: String, of users: UserService.Page,
        paging: ListPaging
    ) {
        let isWhole = users.next == nil && paging.after == nil && !paging.all
        next = users.next
        var lines: [String] = []
        if !objects.isEmpty { lines.append(text) } else if isWhole { lines.append(empty) }
        if let next, !paging.all {
            lines.append("There are more: --after=\(ShellWord.quoted(ForeignText.name(next.text))), or --all.")
        }
        outcome = CommandReport.Outcome(
            text: lines.joined(separator: "\n"),
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
