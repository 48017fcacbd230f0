import Octets
import StrictJSON

/// Attributes that the initiator adds to a payload for the application.
public struct PayloadAttributes: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case none
        case text(String)
        case members(JSONObject)
    }

    private let form: Form

    private init(_ form: Form) { self.form = form }

    /// Nothing is added.
    public static let none = PayloadAttributes(.none)

    /// A text, whose form the initiator and the application agree on.
    public static func text(_ text: String) -> PayloadAttributes { PayloadAttributes(.text(text)) }

    /// The attributes as one text for the application: the text itself, or the members as a JSON object; nil for none.
    public var data: String? {
        switch form {
        case .none: nil
        case .text(let text): text
        case .members(let members): JSONWriter.text(.object(members))
        }
    }

    /// The names that an initiator cannot set.
    private static let reserved = ["token", "redeem_url", "channel_linking"]

    /// Takes the members of a payload that are not its own.
    init(payload members: JSONObject) throws(JSONTypeError) {
        let others = members.members.filter { member in
            !Self.reserved.contains { $0.hasSameOctets(as: member.name) }
        }
        if others.count == 1, let only = others.first, only.name == "data", case .string(let text) = only.value {
            self.init(.text(text))
        } else {
            self.init(others.isEmpty ? .none : .members(JSONObject(distinct: others)))
        }
    }

    var payloadMembers: [JSONObject.Member] {
        switch form {
        case .none: []
        case .text(let text): [JSONObject.Member("data", .string(text))]
        case .members(let members): members.members
        }
    }
}

extension PayloadAttributes: StrictlyCoded {
    /// Takes a text or an object; the names of a payload's own members are refused.
    init(json: JSONValue) throws(JSONTypeError) {
        guard case .object(let members) = json else {
            self = .text(try json.asString())
            return
        }
        guard Self.reserved.allSatisfy({ members[$0] == nil }) else { throw JSONTypeError(.invalidForm) }
        self.init(members.members.isEmpty ? .none : .members(members))
    }

    var json: JSONValue {
        switch form {
        case .none: .object([:])
        case .text(let text): .string(text)
        case .members(let members): .object(members)
        }
    }
}
