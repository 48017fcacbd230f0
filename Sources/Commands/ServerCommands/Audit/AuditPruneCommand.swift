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
            removed and its hash. Records that a subscriber (webhooks, logouts, history and others) has not read stay, with \
            those behind them; "audit forget" is for one that is gone for good. A server that runs on the same database \
            goes on. What names people stays sealed in the file, so that an erasure reaches it; "audit export" opens it.
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
        let pruned = try await Self.prune(services, before: day, into: export)
        let waiting =
            pruned.readers.isEmpty ? "" : " Others stay: not read by \(pruned.readers.joined(separator: ", "))."
        return CommandReport.Outcome(
            text: "\(pruned.count) records were written to \(export) and removed.\(waiting)",
            result: [
                "records": .integer(pruned.count), "unreadBy": .array(pruned.readers.map { .string($0) }),
            ])
    }

    private var day: Timestamp? {
        guard before.utf8.count == 10, let date = try? Date("\(before)T00:00:00Z", strategy: .iso8601) else {
            return nil
        }
        return Timestamp(seconds: Int64(date.timeIntervalSince1970))
    }

    /// Number of records that were removed, and the subscribers for which others stay.
    struct Pruned: Hashable {
        var count = 0
        var readers: [String] = []
    }

    /// Exports the records first and deletes them when file and name are on the disk.
    static func prune(_ services: ServerServices, before day: Timestamp, into path: String) async throws -> Pruned {
        let now = services.ports.clock.now()
        guard day <= now else {
            throw CommandFailure.refused("dayInFuture", "this day is in the future; name one that has begun")
        }
        var heads: [(chain: String, head: AuditRecord.Head)] = []
        let file = try ExportFile(creating: path)
        var pruned = Pruned()
        for chain in try await services.audit.chains() {
            guard let old = try await services.audit.prunable(chain, before: day) else { continue }
            let limit = try await services.subscriberOffsets.limit(old, of: chain, in: services.audit)
            if let reader = limit.reader, !pruned.readers.contains(reader) { pruned.readers.append(reader) }
            guard let head = limit.head else { continue }
            heads.append((chain, head))
            try await services.audit.forEach(in: chain, through: head.sequence) { record, _ in
                try file.append(record.exportLine(opened: nil))
                pruned.count += 1
            }
        }
        try file.finish()
        for (chain, head) in heads { try await services.audit.prune(chain, through: head, at: now) }
        return pruned
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
