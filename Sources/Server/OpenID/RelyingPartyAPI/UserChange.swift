package import ServerCore
package import StrictJSON

/// Body of `PATCH /api/v1/users/{userId}`.
package struct UserChange: Sendable, Hashable {
    /// `attributes`: values by their names; null removes one, and what is not named stays as it is (RFC 7396).
    package let attributes: [UserAttributes.Name: JSONValue]

    /// Reads a body; throws ``RelyingPartyRefusal/malformed(member:)``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        attributes = try RelyingPartyBody.read(body) {
            members throws(JSONTypeError) -> [UserAttributes.Name: JSONValue] in try Self.attributes(in: members)
        }
    }

    private static func attributes(
        in members: JSONObject
    ) throws(JSONTypeError) -> [UserAttributes.Name: JSONValue] {
        let named = try members.required("attributes") { value throws(JSONTypeError) in try value.asObject() }
        guard let changes = UserAttributes.changes(in: named) else {
            throw JSONTypeError(path: ["attributes"], .invalidForm)
        }
        return changes
    }
}

extension RelyingPartyRefusal {
    /// Refusal of a body for the value of an attribute, which it names; one that only the values together break names all.
    init(_ fault: UserAttributeFault) {
        let name = fault.attribute.map { [$0.rawValue] } ?? []
        self = .malformed(member: ["attributes"] + name)
    }
}
