import Octets
import ServerCore

/// CSV with a header line (RFC 4180), as `COPY … WITH (FORMAT csv, HEADER)` writes it.
package final class CSVReader: ImportReader {
    private static let limit = 256 * 1_024

    private let lines: any ImportLines
    private let map: ImportMap
    private var number = 0
    private var columns: [String]?

    package init(_ lines: any ImportLines, _ map: ImportMap) { (self.lines, self.map) = (lines, map) }

    package func next() throws(ImportFault) -> ImportEntry? {
        if columns == nil { columns = try header() }
        guard let columns, let row = try row() else { return nil }
        guard let fields = row.fields else {
            return ImportEntry(row.number, .fault("is no row of CSV in UTF-8, or is longer than 64 KiB"))
        }
        guard fields.count == columns.count else {
            return ImportEntry(row.number, .fault("has \(fields.count) fields instead of \(columns.count)"))
        }
        var record: [String: [String]] = [:]
        for (column, field) in zip(columns, fields) where !field.isEmpty { record[column] = [field] }
        return ImportEntry(row.number, map.content(of: record))
    }

    private func header() throws(ImportFault) -> [String] {
        guard let columns = try row()?.fields?.map({ $0.lowercased() }), Set(columns).count == columns.count else {
            throw ImportFault("has no header line with the name of each column once")
        }
        return columns
    }

    /// The next row; nil fields for one that cannot be read.
    private func row() throws(ImportFault) -> (number: Int, fields: [String]?)? {
        var (first, octets, isOpen): (Int?, [UInt8], Bool) = (nil, [], false)
        while let line = try lines.next() {
            number += 1
            guard let line else { return (first ?? number, nil) }
            if first == nil, line.isEmpty { continue }
            octets += (first == nil ? [] : [UInt8(ascii: "\n")]) + line
            first = first ?? number
            if !line.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) { isOpen.toggle() }
            guard octets.count <= Self.limit else { return (first ?? number, nil) }
            if !isOpen { break }
        }
        guard let first else { return nil }
        var text = String(validating: octets, as: UTF8.self) ?? "\""
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        var rows = CSVRows(text)
        let row = rows.next()
        return (first, row?.isSound == true ? row?.fields : nil)
    }
}

/// LDIF (RFC 2849) with entries, not with changes.
package final class LDIFReader: ImportReader {
    private static let limit = 256 * 1_024

    private let lines: any ImportLines
    private let map: ImportMap
    private var number = 0

    package init(_ lines: any ImportLines, _ map: ImportMap) { (self.lines, self.map) = (lines, map) }

    package func next() throws(ImportFault) -> ImportEntry? {
        while let entry = try entry() {
            guard let folded = entry.lines else { return ImportEntry(entry.number, .fault(JSONLinesReader.tooLong)) }
            var record: [String: [String]] = [:]
            for line in folded {
                guard let (name, value) = Self.attribute(line) else {
                    return ImportEntry(entry.number, .fault("has a line that is no attribute with a text in UTF-8"))
                }
                record[name, default: []].append(value)
            }
            // The line with the version stands alone, or before the first entry.
            record["version"] = nil
            if record["changetype"] != nil { return ImportEntry(entry.number, .fault("is a change, not an entry")) }
            if !record.isEmpty { return ImportEntry(entry.number, map.content(of: record)) }
        }
        return nil
    }

    /// The unfolded lines up to the next empty one; nil lines for an entry that is too long.
    private func entry() throws(ImportFault) -> (number: Int, lines: [[UInt8]]?)? {
        var (first, folded, count, isWhole): (Int?, [[UInt8]], Int, Bool) = (nil, [], 0, true)
        while let line = try lines.next() {
            number += 1
            if line?.isEmpty == true {
                if first == nil { continue }
                break
            }
            first = first ?? number
            count += line?.count ?? Self.limit
            isWhole = isWhole && line != nil && count <= Self.limit
            guard isWhole, let line else { continue }
            if line.first == UInt8(ascii: " "), !folded.isEmpty {
                folded[folded.count - 1] += line.dropFirst()
            } else {
                folded.append(line)
            }
        }
        return first.map { ($0, isWhole ? folded.filter { $0.first != UInt8(ascii: "#") } : nil) }
    }

    /// Name and value of a line; nil for a value at an address, which is not read.
    private static func attribute(_ line: [UInt8]) -> (String, String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = String(validating: line[..<colon], as: UTF8.self)?.lowercased(), !name.isEmpty
        else { return nil }
        var value = line[(colon + 1)...]
        let isEncoded = value.first == UInt8(ascii: ":")
        if isEncoded { value = value.dropFirst() }
        guard value.first != UInt8(ascii: "<") else { return nil }
        guard let text = String(validating: value.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self) else { return nil }
        guard isEncoded else { return (name, text) }
        guard let octets = try? Base64.decode(text) else { return nil }
        // A key may stand as octets: the objects of an import have it as base64url.
        return (name, String(validating: octets, as: UTF8.self) ?? Base64URL.encode(octets))
    }
}
