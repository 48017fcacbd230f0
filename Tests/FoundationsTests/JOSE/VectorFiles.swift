import JOSE
import StrictJSON
import TestSupport

extension JSONValue {
    /// The members of a vector file.
    static func file(_ path: String) throws -> JSONObject {
        try JSONParser.parse(VectorFolder.bytes(of: path), limits: .document).asObject()
    }
}

extension JSONObject {
    /// The elements of an array of objects; an empty or missing array is an error.
    func objects(_ name: String) throws -> [JSONObject] {
        try required(name) { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }

    /// The same object without the members that make a key private.
    var withoutPrivateMembers: JSONObject {
        JSONObject(distinct: members.filter { !["d", "p", "q", "dp", "dq", "qi", "k"].contains($0.name) })
    }
}
