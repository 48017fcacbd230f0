import Foundation
import StrictJSON

/// Record of the requests that the closed cloud API documents, with the members of its answers.
struct CloudExamples {
    /// Request with what it is to be answered with here.
    struct Example {
        let name: String
        let method: String
        var path: String
        var headers: [(name: String, value: String)]
        var body: String
        let status: Int
        /// Name of the members of the answer.
        let answer: String
        /// What is different here, in words.
        let note: String

        var title: String { "\(method) \(path) (\(name))" }
        var text: String { path + headers.map(\.value).joined() + body }

        /// The request with values in place of their names; the longest name first, as one may begin with another.
        func filled(with values: [String: String]) -> Example {
            var filled = self
            for (name, value) in values.sorted(by: { $0.key.count > $1.key.count }) {
                filled.path = filled.path.replacing("$" + name, with: value)
                filled.body = filled.body.replacing("$" + name, with: value)
                filled.headers = filled.headers.map { ($0.name, $0.value.replacing("$" + name, with: value)) }
            }
            return filled
        }

        func send(_ client: SocketClient) async throws -> SocketClient.Answer {
            try await client.send(method, path, headers, body: body)
        }
    }

    /// Documented members of an answer, by their paths; the first element of a list stands for all.
    struct Answer {
        let members: [String: String]
        /// Members that are not there, with the reason.
        let differences: [String: String]

        /// The documented members that an answer lacks, or has with another type.
        func missing(in answer: JSONObject) -> Set<String> {
            Set(members.filter { !Self.has($0.key[...], of: $0.value, in: .object(answer)) }.keys)
        }

        private static func has(_ path: Substring, of type: String, in value: JSONValue) -> Bool {
            switch value {
            case .array(let elements) where !path.isEmpty: elements.first.map { has(path, of: type, in: $0) } ?? false
            case .object(let object) where !path.isEmpty:
                object[String(path.prefix { $0 != "." })].map {
                    has(path.drop { $0 != "." }.dropFirst(), of: type, in: $0)
                } ?? false
            default: path.isEmpty && isOf(type, value)
            }
        }

        private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
            switch value {
            case .string(let text):
                type == "string" || type == "time" && text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z/) != nil
            case .bool: type == "boolean"
            case .array: type == "array"
            case .object: type == "object"
            default: type == "integer" && (try? value.asInteger(Int64.self)) != nil
            }
        }
    }

    let examples: [Example]
    let answers: [String: Answer]

    init() throws {
        let text = try String(contentsOfFile: "Tests/Interop/cloud-api.json", encoding: .utf8)
        let record = try JSONParser.parse(Array(text.utf8)).asObject()
        examples = try record.required("examples") { value throws(JSONTypeError) in
            try value.asArray().map { value throws(JSONTypeError) in try Self.example(value.asObject()) }
        }
        let answers = try record.required("answers") { value throws(JSONTypeError) in try value.asObject() }
        self.answers = Dictionary(
            uniqueKeysWithValues: try answers.members.map { member in
                let answer = try member.value.asObject()
                return (
                    member.name,
                    Answer(
                        members: try Self.texts(answer, "members"), differences: try Self.texts(answer, "differences"))
                )
            })
    }

    private static func example(_ members: JSONObject) throws(JSONTypeError) -> Example {
        Example(
            name: try members.string("name"), method: try members.string("method"), path: try members.string("path"),
            headers: try texts(members, "headers").sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
            body: try members.optionalString("body") ?? "", status: try members.integer("status"),
            answer: try members.string("answer"), note: try members.optionalString("note") ?? "")
    }

    private static func texts(_ object: JSONObject, _ name: String) throws(JSONTypeError) -> [String: String] {
        let texts = try object.required(name) { value throws(JSONTypeError) in try value.asObject() }
        var read: [String: String] = [:]
        for member in texts.members { read[member.name] = try member.value.asString() }
        return read
    }

    // MARK: - Page

    /// Table of the requests with what they were answered with, then one of the members that answers lack.
    func table(of played: [SocketClient.Answer]) -> String {
        var lines = ["| request | documented example | here | difference |", "| --- | --- | --- | --- |"]
        for (example, answer) in zip(examples, played) {
            let path = example.path.prefix { $0 != "?" }.replacing(/\$\w+|[0-9a-f]{8}-[0-9a-f-]{27}/, with: "…")
            let code = (try? answer.object.optionalString("code")).flatMap(\.self).map { " `\($0)`" } ?? ""
            lines.append(
                "| \(example.method) `\(path)` | \(example.name) | \(answer.status)\(code) | \(example.note) |")
        }
        lines += ["", "| answer | documented member | here |", "| --- | --- | --- |"]
        for (name, answer) in answers.sorted(by: { $0.key < $1.key }) {
            for (member, reason) in answer.differences.sorted(by: { $0.key < $1.key }) {
                lines.append("| \(name) | `\(member)` | \(reason) |")
            }
        }
        return lines.joined(separator: "\n")
    }
}
