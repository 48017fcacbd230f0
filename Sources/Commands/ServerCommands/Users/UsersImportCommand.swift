import ArgumentParser
import CommandSupport
import ServerAdministration

struct ImportUsers: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add users and set their attributes from a file.",
        discussion: """
            The file is CSV with a header line, or JSON Lines (one object per line), UTF-8, at most 16 MiB. Columns or members: \
            username (needed), external_id, name, given_name, family_name, email, email_verified (true or false), \
            locale, groups (in CSV with ; between them).

            A user who exists already keeps each attribute that the file leaves out or leaves empty; null in JSON removes \
            it. One bad line stops the whole import, unless you give --skip-bad-lines.
            """)

    @Argument(help: "File of users.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Leave bad lines out, and import the others.")
    var skipBadLines = false

    var step: OperationStep {
        get throws {
            var request = AdministrationRequest(
                .importUsers, query: ["skip-bad-lines": skipBadLines ? "true" : nil])
            try request.take(bodyIn: file)
            return OperationStep(request)
        }
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        let counts = ["added", "changed", "unchanged"].map { "\(reply.member($0)) \($0)" }
        let bad = reply.objects("badLines")
        let lines = bad.map { "line \($0.number("line") ?? 0): \($0.text("reason") ?? "")" }
        let words = counts + (bad.isEmpty ? [] : ["\(bad.count) bad lines left out"])
        return TerminalText(lines: lines + ["Imported \(file): \(words.joined(separator: ", "))."])
    }
}
