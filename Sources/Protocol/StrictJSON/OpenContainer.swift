import Octets

/// An array or object whose end has not been read yet.
struct OpenContainer {
    let isObject: Bool
    private var elements: [JSONValue] = []
    private var members: [JSONObject.Member] = []
    private var name = ""
    /// Names so far as bytes, kept once an object has more members than a look through them is worth.
    private var knownNames: Set<[UInt8]> = []
    private static let fewMembers = 16
    /// Members of most objects of the protocol at most.
    private static let usualMembers = 4

    init(isObject: Bool) {
        self.isObject = isObject
        if isObject { members.reserveCapacity(Self.usualMembers) } else { elements.reserveCapacity(1) }
    }

    var count: Int { isObject ? members.count : elements.count }

    /// Closes the container and gives what it holds.
    consuming func finish() -> JSONValue {
        isObject ? .object(JSONObject(distinct: members)) : .array(elements)
    }

    /// Starts the member `name`; false when the object has one of that name already.
    mutating func begin(_ name: String) -> Bool {
        guard isNew(name) else { return false }
        self.name = name
        return true
    }

    mutating func append(_ value: JSONValue) {
        if isObject {
            members.append(JSONObject.Member(name, value))
        } else {
            elements.append(value)
        }
    }

    private mutating func isNew(_ name: String) -> Bool {
        if members.count < Self.fewMembers {
            return members.position(of: name) == nil
        }
        if knownNames.isEmpty { knownNames = Set(members.map { Array($0.name.utf8) }) }
        return knownNames.insert(Array(name.utf8)).inserted
    }
}
