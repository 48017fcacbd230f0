import ServerCore
import StrictJSON
import UAF
package import UAFService

/// File of users: CSV with a header line (RFC 4180), or JSON Lines.
package struct UserImportFile {
    /// Reason why a file is no list of users at all, in words that follow its name.
    package struct Fault: Error, Sendable, Hashable {
        package let words: String
    }

    private enum Column {
        static let username = "username"
        static let externalID = "external_id"
    }

    /// Longest line of JSON in octets.
    private static let limits = JSONLimits(byteCount: 64 * 1_024, depth: 3)

    package let lines: [UserImport.Line]
    package let badLines: [UserImport.BadLine]

    /// Reads a file; throws for one that is no list of users at all.
    package init(_ content: [UInt8]) throws(Fault) {
        guard var text = String(validating: content, as: UTF8.self) else {
            throw Fault(words: "is not UTF-8")
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        guard let first else { throw Fault(words: "is empty") }
        var reader = Reader()
        if first == "{" { Self.readJSON(text, &reader) } else { try Self.readCSV(text, &reader) }
        lines = reader.lines
        badLines = reader.badLines
    }

    // MARK: - Lines

    /// Lines that were read so far; of two with one name the second is bad.
    private struct Reader {
        var lines: [UserImport.Line] = []
        var badLines: [UserImport.BadLine] = []
        private var known: [UserName: Int] = [:]

        mutating func refuse(_ number: Int, _ reason: String) {
            badLines.append(UserImport.BadLine(number: number, reason: reason))
        }

        mutating func add(
            _ number: Int, _ name: String?, _ externalID: String?, _ changes: [UserAttributes.Name: JSONValue]
        ) {
            guard let name, let user = UserService.newName(name) ?? UserService.name(name) else {
                return refuse(number, "username must have 1 to 128 characters, without control characters")
            }
            if let first = known[user] { return refuse(number, "line \(first) has the same username") }
            var external: UserName?
            if let externalID {
                external = UserService.name(externalID)
                guard external != nil else {
                    return refuse(number, "external_id must have 1 to 128 characters, without control characters")
                }
            }
            var trial = UserAttributes()
            // The mark alone may be meant for an address that the user has already.
            let rules = changes[.email] == nil ? changes.filter { $0.key != .emailVerified } : changes
            do throws(UserAttributeFault) {
                try trial.apply(rules)
            } catch {
                return refuse(number, error.words)
            }
            known[user] = number
            lines.append(UserImport.Line(number: number, name: user, externalID: external, changes: changes))
        }
    }

    // MARK: - JSON Lines

    private static func readJSON(_ text: String, _ reader: inout Reader) {
        for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let number = index + 1
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            guard let object = try? JSONParser.parse(Array(line), limits: limits).asObject() else {
                reader.refuse(number, "is no JSON object, or is longer than 64 KiB")
                continue
            }
            let own = [Column.username, Column.externalID]
            let others = object.members.filter { !own.contains($0.name) }
            guard let changes = UserAttributes.changes(in: JSONObject(distinct: others)) else {
                let unknown = others.first { UserAttributes.Name(rawValue: $0.name) == nil }
                reader.refuse(number, "there is no attribute \(ShownText.replacing(unknown?.name ?? ""))")
                continue
            }
            let externalID = object[Column.externalID]
            guard let name = try? object[Column.username]?.asString(),
                externalID == nil || (try? externalID?.asString()) != nil
            else {
                reader.refuse(number, "username is missing, or username or external_id is no text")
                continue
            }
            reader.add(number, name, try? externalID?.asString(), changes)
        }
    }

    // MARK: - CSV

    private static func readCSV(_ text: String, _ reader: inout Reader) throws(Fault) {
        var rows = CSVRows(text)
        guard let header = rows.next(), header.isSound else {
            throw Fault(words: "has no header line with the names of its columns")
        }
        let columns = header.fields
        let known = [Column.username, Column.externalID] + UserAttributes.Name.allCases.map(\.rawValue)
        if let unknown = columns.first(where: { !known.contains($0) }) {
            throw Fault(
                words: "has a column \(ShownText.replacing(unknown)); the columns are " + known.joined(separator: ", "))
        }
        guard columns.contains(Column.username), Set(columns).count == columns.count else {
            throw Fault(words: "needs a column username, and each column once")
        }
        while let row = rows.next() {
            guard row.isSound, row.fields.count == columns.count else {
                reader.refuse(
                    row.number,
                    row.isSound
                        ? "has \(row.fields.count) fields instead of \(columns.count)"
                        : "has a quote in the wrong place: quote the whole field, and double the quotes in it")
                continue
            }
            var fields: [String: String] = [:]
            for (column, field) in zip(columns, row.fields) where !field.isEmpty { fields[column] = field }
            var changes: [UserAttributes.Name: JSONValue] = [:]
            for name in UserAttributes.Name.allCases {
                changes[name] = fields[name.rawValue].map { value($0, of: name) }
            }
            reader.add(row.number, fields[Column.username], fields[Column.externalID], changes)
        }
    }

    /// Value of a field that is not empty; groups stand with semicolons between them.
    private static func value(_ field: String, of name: UserAttributes.Name) -> JSONValue {
        switch (name, field) {
        case (.emailVerified, "true"): .bool(true)
        case (.emailVerified, "false"): .bool(false)
        case (.groups, _):
            .array(
                field.split(separator: ";").map { part in
                    let rest = part.drop { $0 == " " }
                    return .string(String(rest.reversed().drop { $0 == " " }.reversed()))
                })
        default: .string(field)
        }
    }
}

/// Rows of a CSV file (RFC 4180): fields with commas between them, which may stand in quotes with everything in them.
struct CSVRows {
    struct Row {
        /// Number of its first line, from 1.
        let number: Int
        var fields: [String] = []
        /// Whether all quotes of the row have an end, and nothing stands behind it.
        var isSound = true
    }

    private var rest: Substring.UnicodeScalarView
    private var line = 1

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    /// The next row; lines without anything in them are left out.
    mutating func next() -> Row? {
        while let first = rest.first, first == "\n" || first == "\r" { take() }
        guard !rest.isEmpty else { return nil }
        var row = Row(number: line)
        repeat { row.fields.append(field(&row.isSound)) } while takeComma()
        if !row.isSound { while let next = rest.first, next != "\n" { take() } }
        return row
    }

    private mutating func takeComma() -> Bool {
        guard rest.first == "," else { return false }
        take()
        return true
    }

    @discardableResult
    private mutating func take() -> Unicode.Scalar {
        let scalar = rest.removeFirst()
        if scalar == "\n" { line += 1 }
        return scalar
    }

    private mutating func field(_ isSound: inout Bool) -> String {
        var field = String.UnicodeScalarView()
        if rest.first == "\"" {
            take()
            quoted(&field, &isSound)
        }
        while let next = rest.first, next != ",", next != "\n" {
            if next == "\r", rest.dropFirst().first == "\n" || rest.count == 1 {
                take()
                break
            }
            if next == "\"" { isSound = false }
            field.append(take())
        }
        return String(field)
    }

    private mutating func quoted(_ field: inout String.UnicodeScalarView, _ isSound: inout Bool) {
        while !rest.isEmpty {
            let scalar = take()
            guard scalar == "\"" else {
                field.append(scalar)
                continue
            }
            guard rest.first == "\"" else {
                if let next = rest.first, ![",", "\n", "\r"].contains(next) { isSound = false }
                return
            }
            field.append(take())
        }
        isSound = false
    }
}
