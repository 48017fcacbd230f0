import CommandSupport

/// Display of a transaction's text, all of which has to be shown before the user can approve it.
struct ConfirmationPage {
    private static let words: [String: OperationReply.Verdict] = ["y": .approve, "yes": .approve, "r": .report]
    private static let linesPerPage = 20

    let text: ForeignText?
    var question = "Confirm?"
    let terminal: Terminal

    func verdict() async -> OperationReply.Verdict {
        if let text, await !hasShown(text) { return .deny }
        let ask = question + " [y/N, r: it was not me, tell the server] "
        guard case .line(let answer) = await terminal.ask(ask) else { return .deny }
        return Self.words[answer.line.lowercased()] ?? .deny
    }

    private func hasShown(_ text: ForeignText) async -> Bool {
        terminal.say("You are asked to confirm:\n")
        var rest = text.lines[...]
        while !rest.isEmpty {
            terminal.say(rest.prefix(Self.linesPerPage).joined(separator: "\n") + "\n")
            rest = rest.dropFirst(Self.linesPerPage)
            guard !rest.isEmpty else { break }
            let question = "\(rest.count) more lines; Enter shows them, n says no: "
            guard case .line(let answer) = await terminal.ask(question), answer.line.isEmpty else { return false }
        }
        return true
    }
}
