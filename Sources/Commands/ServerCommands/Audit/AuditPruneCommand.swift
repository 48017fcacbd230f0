import ArgumentParser
import CommandSupport
import Foundation
import ServerAdministration
import ServerCore
import StrictJSON

struct AuditPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Write old records of the audit to a file and remove them.",
        discussion: """
            Writes the records of every chain before the given day to a new file, one JSON object per line, and removes \
            them once the file is on the disk. The rest still verifies: a record in each chain names the last record \
            removed and its hash. Records that a subscriber (webhooks, logouts, history and others) has not read stay, with \
            those behind them; "audit forget" is for one that is gone for good. A server that runs on the same database \
            goes on. What names people stays sealed in the file, so that an erasure reaches it; "audit export" opens it.
            """)

    @OptionGroup var manner: Changing
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Remove records from before this day (UTC).", valueName: "yyyy-mm-dd"))
    var before: String

    @Option(name: .long, help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"))
    var export: String

    func validate() throws {
        guard AuditDay(before) != nil else { throw ValidationError("The day is given as 2026-01-31.") }
    }

    func run() async throws {
        try await options.commandReport.run { try await place.ask(options) { try await outcome(on: $0) } }
    }

    /// Exports the records first and removes them when file and name are on the disk.
    func outcome(on server: some AdministrationConnection) async throws -> CommandReport.Outcome {
        let begin = "\(before)T00:00:00.000Z"
        let reply = try await server.answer(to: .init(.prunableAudit, query: ["before": begin]))
        let chains = reply.objects("chains").compactMap { chain in
            chain.text("chain").flatMap { name in chain.number("through").map { (name, Int64($0)) } }
        }
        let file = try ExportFile(creating: export)
        var count = 0
        for (chain, through) in chains {
            try await server.records(of: chain, through: through) { record in
                try file.append(record.lineWithout(["opened"]))
                count += 1
            }
        }
        try file.finish()
        for (chain, through) in chains {
            var request = AdministrationRequest(
                .pruneAudit,
                members: ["chain": .string(chain), "through": .integer(through), "before": .string(begin)])
            try request.say(why: manner.reason)
            _ = try await server.answer(to: request)
        }
        let readers = reply.member("unreadBy")
        return CommandReport.Outcome(
            text: "\(count) records were written to \(export) and removed."
                + (readers.isEmpty ? "" : " Others stay: not read by \(readers)."),
            result: ["records": .integer(count), "unreadBy": try reply.values.first?.asObject()["unreadBy"]])
    }
}

/// New file of lines, readable by its owner only, which is durable when it is finished.
struct ExportFile {
    private let path: String
    private let descriptor: Int32

    init(creating path: String) throws(PosixFiles.Failure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
    }

    func append(_ line: String) throws(PosixFiles.Failure) {
        guard SystemWrite.all(Array((line + "\n").utf8), to: descriptor) else {
            throw PosixFiles.Failure(path: path, number: errno)
        }
    }

    /// Waits until content and name of the file are on the disk, and closes it.
    func finish() throws(PosixFiles.Failure) {
        guard fsync(descriptor) == 0, close(descriptor) == 0 else {
            throw PosixFiles.Failure(path: path, number: errno)
        }
        try PosixFiles().synchronizeFolder(of: path)
    }
}
