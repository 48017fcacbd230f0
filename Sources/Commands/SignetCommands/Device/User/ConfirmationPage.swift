/// The text of a transaction before a person, who has to have seen all of it before he can say yes.
struct ConfirmationPage {
    private static let linesPerPage = 20

    let text: ForeignText
    let terminal: Terminal

    /// Shows the text, page by page, and asks.
    func isConfirmed() async -> Bool {
        terminal.say("You are asked to confirm:\n")
        var rest = text.lines[...]
        while !rest.isEmpty {
            terminal.say(rest.prefix(Self.linesPerPage).joined(separator: "\n") + "\n")
            rest = rest.dropFirst(Self.linesPerPage)
            guard !rest.isEmpty else { break }
            let question = "\(rest.count) more lines; Enter shows them, n says no: "
            guard case .line(let answer) = await terminal.ask(question), answer.line.isEmpty else { return false }
        }
        guard case .line(let answer) = await terminal.ask("Confirm? [y/N] ") else { return false }
        return ["y", "yes"].contains(answer.line.lowercased())
    }
}
