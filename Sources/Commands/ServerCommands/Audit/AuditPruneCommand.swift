import ArgumentParser
import CommandSupport
import Foundation
import ServerCore
import StrictJSON
import UAFService

struct AuditPruneCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Write old records of the audit to a file and remove them.",
        discussion: """
            Writes the records of every chain before the given day to a new file, one JSON object per line, and removes \
            them once the file is on the disk. The rest still verifies: a record in each chain names the last record \
            removed and its hash. A server that runs on the same database goes on.
            """)

    private static let dayForm = "The day is given as 2026-01-31."

    @OptionGroup var options: ServerOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Remove records from before this day (UTC).", valueName: "yyyy-mm-dd"))
    var before: String

    @Option(name: .long, help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"))
    var export: String

    func validate() throws {
        guard day != nil else { throw ValidationError(Self.dayForm) }
    }

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        guard let day else { throw ValidationError(Self.dayForm) }
        let count = try await Self.prune(services, before: day, into: export)
        return CommandReport.Outcome(
            text: "\(count) records were written to \(export) and removed.", result: ["records": .integer(count)])
    }

    private var day: Timestamp? {
        guard before.utf8.count == 10, let date = try? Date("\(before)T00:00:00Z", strategy: .iso8601) else {
            return nil
        }
        return Timestamp(seconds: Int64(date.timeIntervalSince1970))
    }

    /// Exports the records first and deletes them afterwards; returns their number.
    static func prune(_ services: ServerServices, before day: Timestamp, into path: String) async throws -> Int {
        var heads: [(chain: String, head: AuditRecord.Head)] = []
        let file = try ExportFile(creating: path)
        var count = 0
        for chain in try await services.audit.chains() {
            guard let head = try await services.audit.prunable(chain, before: day) else { continue }
            heads.append((chain, head))
            try await services.audit.forEach(in: chain, through: head.sequence) { record in
                try file.append(record.exportLine)
                count += 1
            }
        }
        try file.finish()
        for (chain, head) in heads {
            try await services.audit.prune(chain, through: head, at: SystemWallClock().now())
        }
        return count
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

    func finish() throws(PosixFiles.Failure) {
        guard fsync(descriptor) == 0, close(descriptor) == 0 else {
            throw PosixFiles.Failure(path: path, number: errno)
        }
    }
}
