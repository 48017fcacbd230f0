import CommandSupport
import Foundation
import ServerAdministration
import ServerCore
import StrictJSON

/// Files of one day of the audit: the records, the signed ends, and the public keys that verify these.
struct AuditDayFiles {
    private let records: String
    private let heads: String
    private let keys: String

    /// The files of a day in a folder.
    init(of day: AuditDay, in folder: String) { self.init(records: "\(folder)/\(day.text).jsonl") }

    /// The files beside the one with the records; `keys` is another file of keys than the one beside it.
    init(records: String, keys: String? = nil) {
        self.records = records
        let folder = records.lastIndex(of: "/").map { String(records[...$0]) } ?? ""
        heads = (records.hasSuffix(".jsonl") ? String(records.dropLast(6)) : records) + ".heads.json"
        self.keys = keys ?? folder + "keys.json"
    }

    /// Writes a day, and returns the number of its records.
    func write(_ day: AuditDay, of server: some AdministrationConnection) async throws -> Int {
        let reply = try await server.answer(to: .init(.auditHeads, query: ["day": day.text]))
        let signed = try reply.values.first?.asObject() ?? [:]
        guard let statement = signed.text("heads"), let set = signed["keys"] else {
            throw CommandFailure.foreignAnswer(server.name)
        }
        let keyOctets = JSONWriter.write(set)
        let segment = try AuditSegment(statement: statement, before: signed.text("before"), keys: keyOctets)
        let file = try ExportFile(creating: records)
        var count = 0
        for part in segment.parts {
            try await server.records(of: part.chain, after: part.after, through: part.through) { record in
                try file.append(record.lineWithout(["opened", "damage"]))
                count += 1
            }
        }
        try file.finish()
        let statements: JSONValue = .object([
            "day": .string(day.text), "heads": .string(statement), "before": signed["before"],
        ])
        try PosixFiles().write(JSONWriter.write(statements), to: heads, mode: 0o600)
        try PosixFiles().write(keyOctets, to: keys, mode: 0o600)
        return count
    }

    /// Checks the files without a server; throws a ``CommandFailure`` that names what was changed.
    func verified() throws -> (signedAt: Timestamp, count: Int) {
        var segment = try segment()
        var (count, unreadable) = (0, [String]())
        try forEachLine { line in
            count += 1
            guard let record = AuditRecord(segmentLine: line) else {
                return unreadable.append("line \(count) is no record")
            }
            segment.follow(record)
        }
        let faults = unreadable + segment.breaks().map(AuditVerifyCommand.named)
        guard faults.isEmpty else {
            throw CommandFailure.refused(
                "auditChanged", "\(records) was changed: \(AuditVerifyCommand.listed(faults, of: faults.count))")
        }
        return (segment.signedAt, count)
    }

    private func segment() throws -> AuditSegment {
        let members = try? JSONParser.parse(try contents(of: heads)).asObject()
        guard let members, let statement = try? members.string("heads") else {
            throw CommandFailure.local("fileUnusable", "\(heads) holds no signed ends of a day")
        }
        do throws(AuditSegment.Fault) {
            return try AuditSegment(
                statement: statement, before: try? members.string("before"), keys: keyOctets())
        } catch {
            switch error {
            case .unreadableKeys: throw CommandFailure.local("fileUnusable", "\(keys) holds no public keys (JWK set)")
            case .notSigned:
                throw CommandFailure.refused("auditChanged", "no key in \(keys) has signed the ends in \(heads)")
            }
        }
    }

    /// Reads the records line by line: a day may be larger than the memory.
    private func forEachLine(_ body: (ArraySlice<UInt8>) -> Void) throws {
        guard let file = FileHandle(forReadingAtPath: records) else {
            throw CommandFailure.local("fileUnusable", "cannot read \(records)")
        }
        defer { try? file.close() }
        var rest: [UInt8] = []
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
            rest += part
            var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = Array(lines.removeLast())
            for line in lines { body(line) }
        }
        if !rest.isEmpty { body(rest[...]) }
    }

    private func keyOctets() -> [UInt8] { PosixFiles().contents(of: keys) ?? [] }

    private func contents(of path: String) throws(CommandFailure) -> [UInt8] {
        guard let octets = PosixFiles().contents(of: path) else {
            throw .local("fileUnusable", "cannot read \(path)")
        }
        return octets
    }
}

extension JSONObject {
    /// The object on one line, without some of its members.
    func lineWithout(_ names: Set<String>) -> String {
        JSONWriter.text(.object(JSONObject(distinct: members.filter { !names.contains($0.name) })))
    }
}
