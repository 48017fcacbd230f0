import ArgumentParser
import CommandSupport
import ServerAdministration
import StrictJSON

struct ExportPerson: SingleRequest {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything that is kept of one person to a file.",
        discussion: """
            The file is JSON: the account with its attributes, devices, keys, sessions, grants of web sites, history, receipts \
            and the records of the audit. A page of the same, for people, lies beside it, with ".html" at its end. Both are \
            readable for you only. The record of the audit is all that is left of a user who was removed.
            """)

    @Argument(help: "Name, external id or identifier of the person, also of one who was removed.")
    var name: GivenName

    @Option(name: .long, help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"))
    var out: String

    var step: OperationStep { OperationStep(.exportPerson, name.text) }

    func outcome(of reply: AdministrationReply) throws -> CommandReport.Outcome? {
        let members = try reply.values.first?.asObject()
        guard let record = members?["record"], let page = members?.text("page") else { return nil }
        try Self.write(JSONWriter.text(record), to: out)
        try Self.write(page, to: out + ".html")
        let id = ForeignText.name(reply.member("userId"))
        return CommandReport.Outcome(
            text: "Everything that is kept of \(id) is in \(out), and for people in \(out).html.",
            result: ["userId": .string(id), "file": .string(out), "page": .string(out + ".html")])
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try ExportFile(creating: path)
        try file.append(text)
        try file.finish()
    }
}

struct ErasePerson: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a person: the account, and what names them anywhere else.",
        discussion: """
            Removes the account if there is one, and deletes the receipts, waiting messages and the key that opens names and \
            addresses in the audit. Its records stay, with time, kind and an opaque identifier, and "audit verify" holds. \
            The reason stays readable, and must not name the person. \
            Nothing brings it back but a backup: erase again after a restore ("audit list --kind ADMIN_PERSON_ERASED" in the \
            audit that you keep elsewhere). Web sites are told of a removal, and not of an erasure: use "users remove" first \
            and let "outgoing list" become empty, if they have to know.
            """)

    @Argument(help: "Name, external id or identifier of the person, also of one who was removed.")
    var name: GivenName

    @Flag(name: .long, help: "Erase; without it nothing is changed.")
    var yes = false

    var step: OperationStep {
        get throws {
            guard yes else {
                throw CommandFailure.refused(
                    "unconfirmed", "nothing was erased: this takes a person away for good; say so with --yes")
            }
            return OperationStep(.erasePerson, name.text)
        }
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        let rest = """
            \nA reader was in the way: the file with "-wal" at its end may have the names until the server writes on. \
            Stop the server and start it again to be sure.
            """
        return "Erased \(reply.member("erased")).\(reply.member("complete") == "true" ? "" : rest)"
    }
}
