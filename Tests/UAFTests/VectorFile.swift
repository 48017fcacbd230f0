import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

/// Reading of the vector files, which fails on members that no test looks at.
enum VectorFile {
    /// The cases of a file; an empty file is an error.
    static func cases(_ name: String) throws -> [JSONObject] {
        try object(name).objects("cases")
    }

    /// The one object of a file.
    static func object(_ name: String) throws -> JSONObject {
        try JSONParser.parse(VectorFolder.bytes(of: "uaf/\(name)"), limits: .document).asObject()
    }
}

extension JSONObject {
    /// Fails unless every member is one of `names`.
    func requireOnly(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let unknown = members.map(\.name).filter { !names.contains($0) }
        #expect(unknown.isEmpty, "unknown members \(unknown)", sourceLocation: sourceLocation)
    }

    func string(_ name: String) throws -> String {
        try required(name) { value throws(JSONTypeError) in try value.asString() }
    }

    func integer(_ name: String) throws -> Int {
        try required(name) { value throws(JSONTypeError) in try value.asInteger() }
    }

    func object(_ name: String) throws -> JSONObject {
        try required(name) { value throws(JSONTypeError) in try value.asObject() }
    }

    func values(_ name: String) throws -> [JSONValue] {
        try required(name) { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in element }
        }
    }

    func objects(_ name: String) throws -> [JSONObject] {
        try required(name) { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }

    func octets(hex name: String) throws -> [UInt8] {
        try Hex.decode(string(name))
    }
}

extension JSONValue {
    /// The number of an `error` member: `null` and 0 both mean that there is none.
    var errorCode: ClientErrorCode? {
        guard case .number(let number) = self, let code = number.integer, code != 0 else { return nil }
        return ClientErrorCode(rawValue: UInt16(code))
    }
}
