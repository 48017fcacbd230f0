import CommandSupport
import ServerCore
import ServerPersistence
import StrictJSON

struct BackupStatement: Hashable {
    /// Form of the statement that this version writes and reads.
    private static let form: Int64 = 1

    let createdAt: Timestamp
    let program: String
    let content: DatabaseContent

    var text: String {
        JSONWriter.text(
            .object(
                JSONObject([
                    "form": .integer(Self.form), "createdAt": .integer(createdAt.milliseconds),
                    "program": .string(program),
                    "tables": .array(
                        content.tables.map { table in
                            .object(
                                JSONObject([
                                    "name": .string(table.name), "rows": .integer(Int64(table.rows)),
                                    "hash": .string(table.hash),
                                ]))
                        }),
                ])))
    }
}

extension BackupStatement {
    /// Reads a statement; throws `JSONTypeError` and errors of the parser for what is none of a known form.
    init(text: String) throws {
        let members = try JSONParser.parse(Array(text.utf8)).asObject()
        let form: Int64 = try members.integer("form")
        guard form == Self.form else {
            throw CommandFailure.local(
                "backupUnknown",
                "the backup was written by a newer signet-server: verify and restore it with that version")
        }
        createdAt = Timestamp(milliseconds: try members.integer("createdAt"))
        program = try members.string("program")
        let tables = try members.required("tables") { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in
                let table = try element.asObject()
                return DatabaseContent.Table(
                    name: try table.string("name"), rows: try table.integer("rows"), hash: try table.string("hash"))
            }
        }
        content = DatabaseContent(tables: tables)
    }
}

extension DatabaseCounts {
    var json: JSONObject {
        JSONObject(
            distinct: numbers.map { number in
                let words = number.name.split(separator: " ")
                let name = words.prefix(1).joined() + words.dropFirst().map { $0.capitalized }.joined()
                return JSONObject.Member(name, .integer(Int64(number.count)))
            })
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
