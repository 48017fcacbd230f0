import ArgumentParser
import CommandSupport
import OpenID
import ServerCore
import SignInPages
import StrictJSON

struct UsersExportCommand: AdministrationCommand {
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

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let persons = PersonService(server)
        let id = try await persons.person(named: name)
        let record = try await persons.export(id)
        let pages = try SignInPages(server, issuer: "")
        let page = out + ".html"
        try Self.write(record.json, to: out)
        try Self.write(pages.personFile(record), to: page)
        return CommandReport.Outcome(
            text: "Everything that is kept of \(id.text) is in \(out), and for people in \(page).",
            result: ["userId": .string(id.text), "file": .string(out), "page": .string(page)])
    }

    private static func write(_ octets: [UInt8], to path: String) throws {
        let file = try ExportFile(creating: path)
        try file.append(String(decoding: octets, as: UTF8.self))
        try file.finish()
    }
}

struct UsersEraseCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a person: the account, and what names them anywhere else.",
        discussion: """
            Removes the account if there is one, and deletes the receipts, waiting messages and the key that opens names and \
            addresses in the audit. Its records stay, with time, kind and an opaque identifier, and "audit verify" holds. \
            Nothing brings it back but a backup: erase again after a restore ("audit list --kind ADMIN_PERSON_ERASED" in the \
            audit that you keep elsewhere). Web sites are told of a removal, and not of an erasure: use "users remove" first \
            and let "outgoing list" become empty, if they have to know.
            """)

    @Argument(help: "Name, external id or identifier of the person, also of one who was removed.")
    var name: GivenName

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Why, in 3 to 256 characters; it stays readable in the audit and must not name the person.",
            valueName: "text"))
    var reason: String

    @Flag(name: .long, help: "Erase; without it nothing is changed.")
    var yes = false

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard ShownText.line(reason, 3...256) != nil else {
            throw ValidationError("--reason has 3 to 256 visible characters on one line.")
        }
    }

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let persons = PersonService(server)
        let id = try await persons.person(named: name)
        guard yes else {
            throw CommandFailure.refused(
                "unconfirmed", "nothing was erased: this takes \(id.text) away for good; say so with --yes")
        }
        switch try await persons.erase(id, reason: reason) {
        case .reasonNamesPerson:
            throw CommandFailure.refused(
                "reasonNamesPerson", "nothing was erased: --reason names the person, and would stay in the audit")
        case .done(let isComplete):
            let rest = """
                \nA reader was in the way: the file with "-wal" at its end may have the names until the server writes on. \
                Stop the server and start it again to be sure.
                """
            return CommandReport.Outcome(
                text: "Erased \(id.text).\(isComplete ? "" : rest)",
                result: ["erased": .string(id.text), "complete": .bool(isComplete)])
        }
    }
}

extension PersonService {
    /// The person of this name; a failure names all when several had it.
    fileprivate func person(named name: GivenName) async throws -> UserID {
        let people = try await people(named: name.text)
        guard people.count == 1, let id = people.first else {
            throw CommandFailure.refused(
                "severalPeople",
                "several people had this name; give an identifier: \(people.map(\.text).joined(separator: ", "))")
        }
        return id
    }
}
