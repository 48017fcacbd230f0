import Octets

/// The members of a JSON object in the order they were written; no name occurs twice.
package struct JSONObject: Sendable, Hashable {
    /// One name with its value.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONValue

        /// Pairs a name with a value.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// All members, in order.
    package private(set) var members: [Member]

    /// An object for writing; members whose value is nil are left out.
    package init(_ members: KeyValuePairs<String, JSONValue?>) {
        self.members = members.compactMap { name, value in value.map { Member(name, $0) } }
    }

    /// Takes members that are known to have distinct names.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of the member with exactly this name.
    package subscript(name: String) -> JSONValue? {
        members.position(of: name).map { members[$0].value }
    }

    /// Adds a member at the end; the caller vouches that the name is new.
    package mutating func append(_ name: String, _ value: JSONValue?) {
        if let value { members.append(Member(name, value)) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object for writing; members whose value is nil are left out.
    package init(dictionaryLiteral members: (String, JSONValue?)...) {
        self.init(distinct: members.compactMap { name, value in value.map { Member(name, $0) } })
    }
}

extension [JSONObject.Member] {
    /// Where the member with exactly this name stands.
    func position(of name: String) -> Int? {
        let byteCount = name.utf8.count
        // Most names differ in length already, which tells it without a copy of the member.
        return indices.first { self[$0].name.utf8.count == byteCount && self[$0].name.hasSameOctets(as: name) }
    }
}
