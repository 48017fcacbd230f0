import Foundation
import ServerAdministration
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

/// Judge of JSON by the few words of JSON Schema that docs/operate/import.schema.json has.
private struct Schema {
    let root: JSONObject

    func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, by: .object(root)) }

    private func accepts(_ value: JSONValue, by schema: JSONValue) throws -> Bool {
        let rules = try schema.asObject()
        for rule in rules.members where try !accepts(value, rule, rules) { return false }
        return true
    }

    private func accepts(_ value: JSONValue, _ rule: JSONObject.Member, _ rules: JSONObject) throws -> Bool {
        switch (rule.name, rule.value, value) {
        case ("$ref", .string(let path), _):
            let name = try #require(path.split(separator: "/").last.map(String.init))
            return try accepts(value, by: try #require(try root["$defs"]?.asObject()[name]))
        case ("oneOf", .array(let choices), _):
            return try choices.count { try accepts(value, by: $0) } == 1
        case ("const", let known, _): return value == known
        case ("enum", .array(let known), _): return known.contains(value)
        case ("type", .string(let kind), _):
            if case .number(let number) = value { return kind == "integer" && number.integer != nil }
            return value.kind.rawValue == kind
        case ("pattern", .string(let pattern), .string(let text)): return try text.contains(Regex(pattern))
        case ("minLength", .number(let least), .string(let text)):
            return text.unicodeScalars.count >= least.integer ?? 0
        case ("maxLength", .number(let most), .string(let text)): return text.unicodeScalars.count <= most.integer ?? 0
        case ("minimum", .number(let least), .number(let number)): return number.integer ?? 0 >= least.integer ?? 0
        case ("maximum", .number(let most), .number(let number)): return number.integer ?? 0 <= most.integer ?? 0
        case ("items", let schema, .array(let values)): return try values.allSatisfy { try accepts($0, by: schema) }
        case ("required", .array(let names), .object(let object)):
            return try names.allSatisfy { object[try $0.asString()] != nil }
        case ("properties", .object(let schemas), .object(let object)):
            return try object.members.allSatisfy { member in
                try schemas[member.name].map { try accepts(member.value, by: $0) } ?? true
            }
        case ("additionalProperties", .bool(false), .object(let object)):
            let known = try rules["properties"]?.asObject()
            return object.members.allSatisfy { known?[$0.name] != nil }
        case ("$schema", _, _), ("title", _, _), ("$defs", _, _), ("additionalProperties", _, _): return true
        default: return ["pattern", "minLength", "maxLength", "minimum", "maximum", "items"].contains(rule.name)
        }
    }
}

@Suite("The schema of an import, its page and its reader say the same")
struct ImportSchemaTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/operate").standardizedFileURL

    private static func schema() throws -> Schema {
        let file = try Data(contentsOf: folder.appending(path: "import.schema.json"))
        return Schema(root: try JSONParser.parse(Array(file)).asObject())
    }

    private static func examples() throws -> [String] {
        let page = try String(contentsOf: folder.appending(path: "moving.md"), encoding: .utf8)
        return page.split(separator: "\n").map(String.init).filter { $0.hasPrefix(#"{"type":"#) }
            .map { $0.replacing("APPID", with: TestServer.appID) }
    }

    @Test("The examples of the page keep the schema, and are imported")
    func examples() async throws {
        let (schema, lines) = (try Self.schema(), try Self.examples())
        #expect(lines.count == 3)
        for line in lines { #expect(try schema.accepts(JSONParser.parse(line)), "\(line)") }
        let model = try SyntheticAuthenticator(aaid: try #require(AAID("F1D0#1001")))
        let stage = try await ImportStage(phone: model)
        let report = try await stage.importing(.texts(lines)).run()
        #expect(report.progress.counts == [.users: 1, .devices: 1, .credentials: 1], "\(report.badLines)")
    }

    @Test(
        "What the schema refuses is refused by the reader, too",
        arguments: [
            #"{"type":"user"}"#, #"{"type":"user","name":""}"#, #"{"type":"user","name":"a","age":7}"#,
            #"{"type":"user","name":"a","attributes":{"age":7}}"#, #"{"type":"user","name":"a","state":"gone"}"#,
            #"{"type":"user","name":"a","createdAt":"2026-01-31"}"#, #"{"type":"user","name":"a","groups":"staff"}"#,
            #"{"type":"device","user":"a","id":"1","name":"a"}"#, #"{"type":"admin","name":"a"}"#,
            #"{"type":"credential","user":"a","aaid":"F1D0","keyId":"AA","publicKey":"AA","publicKeyFormat":1,"algorithm":1}"#,
            #"{"type":"credential","user":"a","aaid":"F1D0#1001","keyId":"AA","publicKey":"AA","publicKeyFormat":-1,"algorithm":1}"#,
            #"{"type":"client","id":"shop","name":"Shop"}"#, #"{"type":"passkey","user":"a","id":"AA"}"#, "7",
        ])
    func refusals(line: String) async throws {
        #expect(try !Self.schema().accepts(JSONParser.parse(line)))
        let report = try await ImportStage().importing(.texts([line])).run()
        #expect(report.badLines.count == 1)
    }

    @Test("A member that the schema has is one that the reader knows, for each type of line")
    func members() async throws {
        let definitions = try #require(try Self.schema().root["$defs"]?.asObject())
        for type in ["user", "device", "credential"] {
            let names = try #require(try definitions[type]?.asObject()["properties"]?.asObject()).members.map(\.name)
            // Each has a value that breaks its rule; what the reader does not know it calls so.
            let lines = names.filter { $0 != "type" }.map { #"{"type":"\#(type)","\#($0)":[[]]}"# }
            let report = try await ImportStage().importing(.texts(lines)).run()
            #expect(
                report.badLines.count == lines.count && !report.badLines.contains { $0.reason.contains("no member") })
        }
    }
}
