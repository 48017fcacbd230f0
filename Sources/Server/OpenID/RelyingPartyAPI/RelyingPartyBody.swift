import StrictJSON
import UAF

/// Reader of the bodies of the API: JSON objects of at most 16 KiB, of which a member that is wrong is named.
enum RelyingPartyBody {
    private static let limits = JSONLimits(byteCount: 16 * 1_024, depth: 8)

    static func read<Value>(
        _ body: [UInt8], _ make: (JSONObject) throws(JSONTypeError) -> Value
    ) throws(RelyingPartyRefusal) -> Value {
        do throws(JSONTypeError) {
            guard let value = try? JSONParser.parse(body, limits: limits) else { throw JSONTypeError(.invalidForm) }
            return try make(try value.asObject())
        } catch {
            throw .malformed(member: error.path)
        }
    }

    /// The user that a body names, by exactly one of two members; nil for neither.
    static func subject(_ members: JSONObject) throws(JSONTypeError) -> RelyingPartySubject? {
        let name = try members.optional("username", userName)
        let id = try members.optional("userId", userName)
        switch (name, id) {
        case (let name?, nil): return .name(name)
        case (nil, let id?): return .id(id)
        case (nil, nil): return nil
        case (_?, _?): throw JSONTypeError(path: ["userId"], .outOfRange)
        }
    }

    private static func userName(_ value: JSONValue) throws(JSONTypeError) -> UserName {
        guard let name = UserName(try value.asString()),
            name.text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw JSONTypeError(.invalidForm) }
        return name
    }

    /// A text of the member with 1 to `count` characters.
    static func text(
        _ name: String, atMost count: Int, in members: JSONObject
    ) throws(JSONTypeError) -> String? {
        try members.optional(name) { value throws(JSONTypeError) in try value.asString(scalarCount: 1...count) }
    }
}
