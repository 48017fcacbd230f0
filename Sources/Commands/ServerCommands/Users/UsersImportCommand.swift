import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON
import UAFService

struct UsersImportCommand: AdministrationCommand {
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

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        guard let content = PosixFiles().contents(of: file) else {
            throw CommandFailure.local("fileUnusable", "cannot read \(file), or it has more than 16 MiB")
        }
        let read = try Self.read(content, named: file)
        guard read.badLines.isEmpty || skipBadLines else { throw refusal(read.badLines) }
        let outcome = try await UserImport(services).run(read.lines, skipsBadLines: skipBadLines)
        let bad = (read.badLines + outcome.badLines).sorted { $0.number < $1.number }
        guard bad.isEmpty || skipBadLines else { throw refusal(bad) }
        let counts = [
            "\(outcome.added) added", "\(outcome.changed) changed", "\(outcome.unchanged) unchanged",
            bad.isEmpty ? nil : "\(bad.count) bad lines left out",
        ]
        let lines = bad.map { "line \($0.number): \($0.reason)" }
        return CommandReport.Outcome(
            text: TerminalText(
                lines: lines + ["Imported \(file): " + counts.compactMap(\.self).joined(separator: ", ") + "."]),
            result: [
                "added": .integer(outcome.added), "changed": .integer(outcome.changed),
                "unchanged": .integer(outcome.unchanged), "badLines": Self.json(bad),
            ])
    }

    private static func read(_ content: [UInt8], named file: String) throws(CommandFailure) -> UserImportFile {
        do throws(UserImportFile.Fault) {
            return try UserImportFile(content)
        } catch {
            throw .refused("invalidFile", "\(file) \(error.words)")
        }
    }

    private static func json(_ lines: [UserImport.BadLine]) -> JSONValue {
        .array(lines.map { .object(["line": .integer($0.number), "reason": .string($0.reason)]) })
    }

    /// Bad lines that a message names; of more it says the number.
    private static let namedLines = 20

    private func refusal(_ lines: [UserImport.BadLine]) -> CommandFailure {
        let named = lines.prefix(Self.namedLines).map { "line \($0.number): \($0.reason)" }
        let more = lines.count > named.count ? ["and \(lines.count - named.count) more"] : []
        let words = (named + more).joined(separator: "; ")
        return .refused(
            "badLines",
            "nothing was imported, because of \(lines.count) bad \(lines.count == 1 ? "line" : "lines") in \(file): "
                + "\(words). Correct them, or leave them out with --skip-bad-lines")
    }
}
