import StrictJSON
import Testing

@Suite("Typed access to members")
struct JSONObjectTests {
    private let members: JSONObject = [
        "text": .string("x"), "number": .integer(7), "nothing": .null, "list": .array([]),
    ]

    @Test("A member that is there and fits is given")
    func present() throws {
        #expect(try members.string("text") == "x")
        #expect(try members.optionalString("text") == "x")
        #expect(try members.integer("number", as: Int.self) == 7)
        #expect(try members.optionalInteger("absent", as: Int.self) == nil)
    }

    @Test("A missing member is an error that names it, or nil when it may be missing")
    func absent() throws {
        #expect(throws: JSONTypeError(path: ["absent"], .missing)) { try members.string("absent") }
        #expect(try members.optionalString("absent") == nil)
    }

    @Test("null never stands for an absent member")
    func null() {
        #expect(throws: JSONTypeError(path: ["nothing"], .wrongKind(expected: .string, found: .null))) {
            try members.optionalString("nothing")
        }
    }

    @Test("The path leads through arrays and objects to the value at fault")
    func path() throws {
        let document = try JSONParser.parse(#"{"a":[{"b":1},{"b":"x"}]}"#).asObject()
        #expect(throws: JSONTypeError(path: ["a", "1", "b"], .wrongKind(expected: .integer, found: .string))) {
            try document.required("a") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in
                    try element.asObject().integer("b", as: Int.self)
                }
            }
        }
    }

    @Test("An empty array is refused where one element is needed")
    func emptyArray() {
        #expect(throws: JSONTypeError(path: ["list"], .outOfRange)) {
            try members.required("list") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asString() }
            }
        }
    }

    @Test("Lengths count Unicode scalar values")
    func scalarCount() throws {
        #expect(try JSONValue.string("e\u{0301}").asString(scalarCount: 2...2) == "e\u{0301}")
        #expect(throws: JSONTypeError(.outOfRange)) { try JSONValue.string("").asString(scalarCount: 1...2) }
    }
}
