import ArgumentParser
import CommandSupport
import Foundation
import OpenID
import ServerAdministration
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON
import UAFService

/// `signet-server import`: takes over users, phones, keys, passkeys and web sites of another server.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over users, phones, keys and web sites of another server from a file.",
        discussion: """
            Stop the server first. What is here already stays as it is: the same object is counted, another one of its name \
            is a conflict, and stands among the bad lines, which are left out. An import that was interrupted goes on when the same \
            command is run again; a file that was imported is not imported twice. The forms of the files: \
            docs/operate/moving.md.
            """)

    @Option(name: .long, help: "Form of the file: \(ImportKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var from: ImportKind

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(
        name: .long,
        help: ArgumentHelp("Names of columns or attributes by the members of objects (JSON).", valueName: "file"))
    var map: String?

    @Flag(name: .long, help: "Say what would be done, line by line, and write nothing.")
    var dryRun = false

    @Option(name: .long, help: ArgumentHelp("Largest document of keycloak, in MiB.", valueName: "MiB"))
    var maxSize = 256

    @OptionGroup var manner: Changing
    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard map == nil || from.takesMap else { throw ValidationError("--map belongs to a file of LDIF or SQL.") }
        guard (1...2_048).contains(maxSize) else { throw ValidationError("--max-size is 1 to 2048 MiB.") }
    }

    func run() async throws {
        var badLineCount = 0
        try await options.report {
            let deployment = try options.file.deployment()
            try PosixFiles().makePrivateFolder(deployment.dataDirectory)
            let lease = try DatabaseLease.exclusive(on: deployment.leaseFile)
            defer { lease.release() }
            let installation = try await ServerInstallation.open(
                deployment, origin: deployment.origin, logger: ServerLog.quiet,
                by: .command(.ofProcess(), expecting: .any))
            if let server = try await RunningServers.name(
                on: installation.database.tables, at: installation.clock.now())
            {
                throw CommandFailure(databaseInUseBy: server, place: deployment.database.place)
            }
            let report = try await imported(into: installation.sites)
            try installation.close()
            badLineCount = report.progress.counts[.bad] ?? 0
            return try outcome(report)
        }
        guard badLineCount == 0 else { throw ExitCode(1) }
    }

    private func imported(into server: OpenIDServer) async throws -> FileImport.Report {
        do throws(FileImport.Failure) {
            let (source, progress) = try source()
            let task = FileImport(source, into: server) { progress.show($0) }
            let act = AdministrativeAct(
                .account(.ofProcess()), as: .operator, because: manner.reason, client: ClientContext())
            let result = await AdministrativeAct.$current.withValue(act) {
                do throws(FileImport.Failure) {
                    return Result<_, FileImport.Failure>.success(
                        dryRun ? try await task.rehearse() : try await task.run())
                } catch {
                    return .failure(error)
                }
            }
            progress.end()
            return try result.get()
        } catch {
            throw failure(error)
        }
    }

    private func source() throws(FileImport.Failure) -> (FileImport.Source, ImportDisplay) {
        do throws(ImportFault) {
            let mapFile = try map.map { path throws(ImportFault) in try FileLines.contents(of: path, limit: 1 << 20) }
            let columns = try ImportMap(mapFile)
            let hash = try FileLines.hash(file, behind: Array(from.rawValue.utf8) + [0] + (mapFile ?? []) + [0])
            let (path, kind, limit) = (file, from, maxSize << 20)
            let source = FileImport.Source(id: hash.text, kind: kind.rawValue) { () throws(ImportFault) in
                try kind.reader(of: path, columns, limit: limit)
            }
            return (source, ImportDisplay(kind: kind, lines: hash.lines, showsLines: options.format == .text))
        } catch {
            throw .file(error)
        }
    }

    private func failure(_ error: FileImport.Failure) -> any Error {
        switch error {
        case .file(let fault): CommandFailure.local("fileUnusable", "\(ForeignText.name(file)) \(fault.words)")
        case .busy: CommandFailure.local("databaseInUse", "another process imports this file", isRetryable: true)
        case .server(let error): error
        }
    }

    // MARK: - Report

    private func outcome(_ report: FileImport.Report) throws -> CommandReport.Outcome {
        let counts = report.progress.counts
        let words = ImportProgress.Count.allCases.compactMap { count in
            counts[count].map { Self.words(count, $0) }
        }
        let sum = words.isEmpty ? "nothing" : words.joined(separator: ", ")
        var lines = report.notes.map { "\(from.entryName) \($0.number): \($0.reason)" }
        lines.append(
            report.wasEnded
                ? "\(file) was imported at \(report.progress.endedAt?.iso8601 ?? ""), and is not again: \(sum)."
                : dryRun ? "A trial, nothing was written. An import would find: \(sum)." : "Imported \(file): \(sum).")
        return CommandReport.Outcome(
            text: TerminalText(lines: lines),
            result: [
                "entries": .integer(report.progress.entries), "earlier": .integer(report.earlier),
                "already": .bool(report.wasEnded), "dryRun": .bool(dryRun),
                "counts": .object(report.progress.members), "badLines": Self.json(report.badLines),
                "notes": Self.json(report.notes),
            ])
    }

    private static func words(_ count: ImportProgress.Count, _ number: Int) -> String {
        let ending = number == 1 ? "" : "s"
        return switch count {
        case .users: "\(number) user\(ending)"
        case .devices: "\(number) phone\(ending)"
        case .credentials: "\(number) key\(ending)"
        case .passkeys: "\(number) passkey\(ending)"
        case .clients: "\(number) web site\(ending)"
        case .present: "\(number) here already"
        case .bad: "\(number) bad line\(ending) left out"
        }
    }

    private static func json(_ lines: [UserImport.BadLine]) -> JSONValue {
        .array(lines.map { .object(["line": .integer($0.number), "reason": .string($0.reason)]) })
    }
}

/// Form of a file.
enum ImportKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case lines = "signet-jsonl"
    case ldif = "nevisfido-ldif"
    case sql = "nevisfido-sql"
    case keycloak

    var takesMap: Bool { self == .ldif || self == .sql }

    /// Name of an entry in messages.
    var entryName: String { self == .keycloak ? "object" : "line" }

    func reader(of path: String, _ map: ImportMap, limit: Int) throws(ImportFault) -> any ImportReader {
        switch self {
        case .lines: JSONLinesReader(try FileLines(path))
        case .ldif: LDIFReader(try FileLines(path), map)
        case .sql: CSVReader(try FileLines(path), map)
        case .keycloak: try KeycloakReader(FileLines.contents(of: path, limit: limit))
        }
    }
}
