import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("JSONTestSuite", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JSONParserVectorTests {
    /// We refuse repeated member names although the set accepts them.
    private static let refusedAcceptances = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]
    private static let limits = JSONLimits(byteCount: 4 * 1024 * 1024, depth: 512, elementCount: 65_536)

    private func cases(of file: String) throws -> [JSONObject] {
        let document = try JSONParser.parse(VectorFolder.bytes(of: "json-parsing/\(file)"), limits: .document)
        return try document.asObject().required("cases") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }

    @Test("Every text is accepted or refused as the set says")
    func parsing() throws {
        for entry in try cases(of: "parsing.json") {
            let name = try entry.string("name")
            let bytes = try Base64.decode(entry.string("bytes"))
            #expect(try bytes.count == entry.integer("length"), "\(name)")
            switch try entry.string("expect") {
            case "accept" where Self.refusedAcceptances.contains(name):
                #expect(throws: StrictJSONError.self, "\(name)") { try JSONParser.parse(bytes, limits: Self.limits) }
            case "accept":
                #expect(throws: Never.self, "\(name)") { try JSONParser.parse(bytes, limits: Self.limits) }
            case "reject":
                #expect(throws: StrictJSONError.self, "\(name)") { try JSONParser.parse(bytes, limits: Self.limits) }
            case "either": _ = try? JSONParser.parse(bytes, limits: Self.limits)
            case let other: Issue.record("unknown expectation \(other) of \(name)")
            }
        }
    }

    @Test("The two listed exceptions are part of the set")
    func exceptionsExist() throws {
        let names = try cases(of: "parsing.json").map { try $0.string("name") }
        for exception in Self.refusedAcceptances { #expect(names.contains(exception)) }
    }

    @Test("Whatever is accepted is written and read again without loss")
    func rewriting() throws {
        for entry in try cases(of: "parsing.json") {
            guard let value = try? JSONParser.parse(Base64.decode(entry.string("bytes")), limits: Self.limits) else {
                continue
            }
            #expect(try JSONParser.parse(JSONWriter.write(value), limits: Self.limits) == value)
        }
    }

    @Test("Numbers and names are kept as written; lone surrogates, bad UTF-8 and repeated names are refused")
    func transforming() throws {
        for entry in try cases(of: "transform.json") {
            let name = try entry.string("name")
            let bytes = try Base64.decode(entry.string("bytes"))
            let rule = try entry.string("rule")
            switch rule {
            case "number: must not be silently altered; reject where the field is an integer that cannot hold it":
                try expectNumber(bytes, name)
            case "two member names that differ only by Unicode normalisation: both kept, never merged":
                let members = try JSONParser.parse(bytes).asObject().members
                #expect(members.count == 2 && Set(members.map(\.value)).count == 2, "\(name)")
                for member in members {
                    #expect(try JSONParser.parse(bytes).asObject()[member.name] == member.value)
                }
            case "duplicate member name: reject in strict mode":
                #expect(throws: StrictJSONError.self, "\(name)") { try JSONParser.parse(bytes) }
            case "string: either reject, or keep without loss; never cut at NUL":
                try expectString(bytes, name)
            default: Issue.record("unknown rule of \(name): \(rule)")
            }
        }
    }

    private func expectNumber(_ bytes: [UInt8], _ name: String) throws {
        guard case .array(let values) = try JSONParser.parse(bytes), case .number(let number) = values.first else {
            Issue.record("\(name) is not an array of a number")
            return
        }
        let written = String(decoding: bytes, as: UTF8.self).filter { !"[]\n".contains($0) }
        #expect(number.text == written)
        #expect(number.integer == Int64(written), "\(name)")
    }

    private func expectString(_ bytes: [UInt8], _ name: String) throws {
        guard name == "string_with_escaped_NULL.json" else {
            #expect(throws: StrictJSONError.self, "\(name)") { try JSONParser.parse(bytes) }
            return
        }
        #expect(try JSONParser.parse(bytes) == .array([.string("A\u{0000}B")]))
    }
}
