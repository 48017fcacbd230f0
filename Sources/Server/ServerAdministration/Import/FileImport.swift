package import OpenID
package import ServerCore
import StrictJSON
package import UAFService

/// Import of one file, in batches: each is one transaction with its record in the audit and how far the import is.
///
/// What was interrupted goes on behind the last batch. One file with one map is one import: it is not begun twice.
package struct FileImport: Sendable {
    /// Entries of one batch.
    package static let batchSize = 4_000
    /// Bad lines, and notes, that a report has at most; all are counted.
    package static let reportLimit = 1_000

    /// File of an import: the hash of it and of its map, and readers of it.
    package struct Source: Sendable {
        package let id: String
        package let kind: String
        package let open: @Sendable () throws(ImportFault) -> any ImportReader

        package init(id: String, kind: String, open: @escaping @Sendable () throws(ImportFault) -> any ImportReader) {
            (self.id, self.kind, self.open) = (id, kind, open)
        }
    }

    /// Result of an import.
    package struct Report: Sendable {
        package fileprivate(set) var progress: ImportProgress
        /// Bad lines of this run.
        package fileprivate(set) var badLines: [UserImport.BadLine] = []
        /// Work that is left to do for objects that were taken over.
        package fileprivate(set) var notes: [UserImport.BadLine] = []
        /// Number of the last entry of this run; 0 before the first.
        package fileprivate(set) var last = 0
        /// Entries that were done before this run.
        package let earlier: Int
        /// Whether the whole file was imported before.
        package var wasEnded: Bool { earlier > 0 && earlier == progress.entries && progress.endedAt != nil }
    }

    /// End of an import before its file ends.
    package enum Failure: Error, Sendable, Hashable {
        /// The file cannot be read, from the beginning or any more.
        case file(ImportFault)
        /// Another process imports the same file.
        case busy
        case server(ServerError)
    }

    private let server: OpenIDServer
    private let source: Source
    private let batchSize: Int
    /// Called behind each batch.
    private let report: @Sendable (Report) -> Void

    package init(
        _ source: Source, into server: OpenIDServer, batchSize: Int = batchSize,
        report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        (self.source, self.server, self.batchSize, self.report) = (source, server, batchSize, report)
    }

    private var now: Timestamp { server.services.ports.clock.now() }

    // MARK: - Import

    /// Imports what was not imported yet, and returns when the file has ended.
    package func run() async throws(Failure) -> Report {
        let (id, begin) = (source.id, ImportProgress(begunAt: now))
        let known = try await passing { () async throws(ServerError) in
            try await server.transactions.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.importProgress(of: id)
            }
        }
        var report = Report(progress: known ?? begin, earlier: known?.entries ?? 0)
        guard report.progress.endedAt == nil else { return report }
        let batches = try opened(behind: report.earlier)
        let preparation = Preparation(reader: ImportObjectReader(server))
        var objects = await preparation.objects(of: try batches.next())
        repeat {
            let following = try batches.next()
            // Reading keys takes as long as writing them: both go on at once.
            async let upcoming = preparation.objects(of: following)
            report = try await write(objects, isLast: following.isEmpty, report)
            self.report(report)
            objects = await upcoming
        } while !objects.isEmpty
        return report
    }

    private func opened(behind entries: Int) throws(Failure) -> Batches {
        do throws(ImportFault) {
            let batches = Batches(try source.open(), size: batchSize)
            try batches.skip(entries)
            return batches
        } catch {
            throw .file(error)
        }
    }

    private func write(
        _ objects: [PreparedEntry], isLast: Bool, _ report: Report
    ) async throws(Failure) -> Report {
        let (id, kind, now) = (source.id, source.kind, now)
        if objects.contains(where: \.hasClient) {
            try await passing { () async throws(ServerError) in
                try await ClientAdministration(server).provideKey(for: .rs256)
            }
        }
        let written: Report? = try await passing { () async throws(ServerError) in
            try await server.transactions.transaction { transaction throws(ServerTransactionFailure) -> Report? in
                var batch = Batch(report)
                let isOvertaken = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> Bool? in
                    try batch.take(objects, in: transaction, at: now)
                    if isLast { batch.report.progress.endedAt = now }
                    let known = report.progress.entries
                    guard try transaction.set(batch.report.progress, ofImport: id, after: known) else { return true }
                    var event = AuditEvent(.imported, at: now)
                    event.changes = batch.changes(kind, id, objects, since: report.progress)
                    try transaction.append(event)
                    return nil
                }
                return isOvertaken == nil ? batch.report : nil
            }
        }
        guard let written else { throw .busy }
        return written
    }

    private func passing<Value>(_ body: () async throws(ServerError) -> Value) async throws(Failure) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            throw .server(error)
        }
    }

    // MARK: - Trial

    /// Reports an import of the whole file, of which nothing stays.
    package func rehearse() async throws(Failure) -> Report {
        let now = now
        let result = try await passing { () async throws(ServerError) in
            try await server.transactions.transaction {
                transaction throws(ServerTransactionFailure) -> Result<Report, ImportFault>? in
                try transaction.undoingRefused { () throws(ServerTransactionFailure) -> Result<Report, ImportFault>? in
                    try rehearsed(in: transaction, at: now)
                }
            }
        }
        switch result {
        case .success(let report)?: return report
        case .failure(let fault)?: throw .file(fault)
        case nil: throw .busy
        }
    }

    private func rehearsed(
        in transaction: any OpenIDTransaction, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Result<Report, ImportFault> {
        let batches: Batches
        do throws(ImportFault) {
            batches = Batches(try source.open(), size: batchSize)
        } catch {
            return .failure(error)
        }
        let reader = ImportObjectReader(server)
        var batch = Batch(Report(progress: ImportProgress(begunAt: now), earlier: 0))
        while true {
            let entries: [ImportEntry]
            do throws(ImportFault) {
                entries = try batches.read()
            } catch {
                return .failure(error)
            }
            guard !entries.isEmpty else { return .success(batch.report) }
            try batch.take(entries.map { PreparedEntry($0, reader) }, in: transaction, at: now)
            report(batch.report)
        }
    }
}

// MARK: - Batches

/// Entries of a file, batch by batch.
private final class Batches {
    private let reader: any ImportReader
    private let size: Int

    init(_ reader: any ImportReader, size: Int) { (self.reader, self.size) = (reader, size) }

    func skip(_ count: Int) throws(ImportFault) {
        for _ in 0..<count { _ = try reader.next() }
    }

    func read() throws(ImportFault) -> [ImportEntry] {
        var entries: [ImportEntry] = []
        while entries.count < size, let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    func next() throws(FileImport.Failure) -> [ImportEntry] {
        do throws(ImportFault) {
            return try read()
        } catch {
            throw .file(error)
        }
    }
}

/// Entry whose objects were read.
private struct PreparedEntry: Sendable {
    let number: Int
    let objects: [Result<ImportedObject, ImportFault>]

    var hasClient: Bool {
        objects.contains { if case .success(.client) = $0 { true } else { false } }
    }

    init(_ entry: ImportEntry, _ reader: ImportObjectReader) {
        number = entry.number
        objects =
            switch entry.content {
            case .json(let line): [Result { () throws(ImportFault) in try reader.object(line) }]
            case .objects(let objects):
                objects.map { object in Result { () throws(ImportFault) in try reader.object(object) } }
            case .fault(let words): [.failure(ImportFault(words))]
            }
    }
}

/// Reading of the objects of a batch, in parts beside each other.
private struct Preparation {
    private static let part = 500

    let reader: ImportObjectReader

    @concurrent func objects(of entries: [ImportEntry]) async -> [PreparedEntry] {
        let reader = reader
        return await withTaskGroup(of: (Int, [PreparedEntry]).self) { group in
            for start in stride(from: 0, to: entries.count, by: Self.part) {
                group.addTask {
                    (start, entries[start..<min(start + Self.part, entries.count)].map { PreparedEntry($0, reader) })
                }
            }
            var parts: [Int: [PreparedEntry]] = [:]
            for await (start, part) in group { parts[start] = part }
            return parts.sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }
}

/// One batch in its transaction.
private struct Batch {
    var report: FileImport.Report

    init(_ report: FileImport.Report) { self.report = report }

    mutating func take(
        _ entries: [PreparedEntry], in transaction: any OpenIDTransaction, at now: Timestamp
    ) throws(ServerTransactionFailure) {
        var rule = ImportRule(in: transaction, at: now)
        for entry in entries {
            for object in entry.objects { try take(object, of: entry, by: &rule) }
        }
        report.progress.entries += entries.count
        report.last = entries.last?.number ?? report.last
    }

    private mutating func take(
        _ object: Result<ImportedObject, ImportFault>, of entry: PreparedEntry, by rule: inout ImportRule
    ) throws(ServerTransactionFailure) {
        switch object {
        case .failure(let fault): refuse(entry, fault.words)
        case .success(let object):
            switch try rule.take(object) {
            case .added(let count, let note):
                report.progress.count(count)
                if let note { add(note, of: entry, to: \.notes) }
            case .present: report.progress.count(.present)
            case .bad(let words): refuse(entry, words)
            }
        }
    }

    private mutating func refuse(_ entry: PreparedEntry, _ words: String) {
        report.progress.count(.bad)
        add(words, of: entry, to: \.badLines)
    }

    private mutating func add(
        _ words: String, of entry: PreparedEntry, to list: WritableKeyPath<FileImport.Report, [UserImport.BadLine]>
    ) {
        guard report[keyPath: list].count < FileImport.reportLimit else { return }
        report[keyPath: list].append(UserImport.BadLine(number: entry.number, reason: words))
    }

    /// Content of the record of the batch in the audit.
    func changes(
        _ kind: String, _ id: String, _ entries: [PreparedEntry], since before: ImportProgress
    ) -> [AuditEvent.SettingChange] {
        let counts = ImportProgress.Count.allCases.compactMap { count -> AuditEvent.SettingChange? in
            let number = (report.progress.counts[count] ?? 0) - (before.counts[count] ?? 0)
            return number == 0 ? nil : AuditEvent.SettingChange(count.rawValue, from: nil, to: .integer(number))
        }
        return [
            AuditEvent.SettingChange("import", from: nil, to: .string(kind)),
            AuditEvent.SettingChange("file", from: nil, to: .string(id)),
            AuditEvent.SettingChange(
                "lines", from: .integer(entries.first?.number ?? 0), to: .integer(entries.last?.number ?? 0)),
        ] + counts
    }
}
