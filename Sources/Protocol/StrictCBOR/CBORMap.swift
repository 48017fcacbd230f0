import Octets

/// Members of a CBOR map; no name occurs twice.
///
/// Members that were read stand in the order of their encoded names.
package struct CBORMap: Sendable, Hashable {
    /// Name of a member: an integer or a text.
    package enum Key: Sendable, Hashable {
        case integer(Int64)
        case text(String)
    }

    /// One name with its value.
    package struct Member: Sendable, Hashable {
        package let key: Key
        package let value: CBORValue

        package init(_ key: Key, _ value: CBORValue) {
            self.key = key
            self.value = value
        }
    }

    package let members: [Member]

    /// Takes members whose names differ; the writer puts them in order.
    package init(_ members: [Member]) { self.members = members }

    /// Whether the members have these names, and no other; the names differ.
    package func has(exactly names: [String]) -> Bool {
        members.count == names.count && names.allSatisfy { self[$0] != nil }
    }

    package subscript(name: String) -> CBORValue? {
        members.first {
            if case .text(let text) = $0.key { text.hasSameOctets(as: name) } else { false }
        }?.value
    }

    package subscript(number number: Int64) -> CBORValue? {
        members.first {
            if case .integer(let integer) = $0.key { integer == number } else { false }
        }?.value
    }
}
