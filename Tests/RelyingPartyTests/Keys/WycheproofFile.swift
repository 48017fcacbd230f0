import Octets
import StrictJSON
import TestSupport

/// A file of the Wycheproof project: groups that share a key, each with cases.
struct WycheproofFile {
    struct Group {
        let fields: JSONObject
        let cases: [Case]
    }

    struct Case {
        let number: Int
        let flags: [String]
        let result: Result
        let fields: JSONObject
    }

    enum Result: String {
        case valid
        case invalid
        case acceptable
    }

    struct UnknownResult: Error {
        let text: String
    }

    let groups: [Group]

    /// Loads `wycheproof/<name>_test.json`; a file without a case is an error.
    init(_ name: String) throws {
        let bytes = try VectorFolder.bytes(of: "wycheproof/\(name)_test.json")
        let file = try JSONParser.parse(bytes, limits: .document).asObject()
        let objects = try file.required("testGroups") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { group throws(JSONTypeError) in try group.asObject() }
        }
        groups = try objects.map { group in
            Group(fields: group, cases: try Self.cases(of: group))
        }
    }

    private static func cases(of group: JSONObject) throws -> [Case] {
        let objects = try group.required("tests") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { test throws(JSONTypeError) in try test.asObject() }
        }
        return try objects.map { test in
            let text = try test.text("result")
            guard let result = Result(rawValue: text) else { throw UnknownResult(text: text) }
            let flags = try test.required("flags") { value throws(JSONTypeError) in
                try value.asArray { flag throws(JSONTypeError) in try flag.asString() }
            }
            let number = try test.required("tcId") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
            return Case(number: number, flags: flags, result: result, fields: test)
        }
    }
}

extension JSONObject {
    /// The text of a member that must be there.
    func text(_ name: String) throws -> String {
        try required(name) { value throws(JSONTypeError) in try value.asString() }
    }

    /// The bytes of a member written in hexadecimal digits.
    func hex(_ name: String) throws -> [UInt8] {
        try Hex.decode(try text(name))
    }

    /// The object in a member that must be there.
    func object(_ name: String) throws -> JSONObject {
        try required(name) { value throws(JSONTypeError) in try value.asObject() }
    }
}
