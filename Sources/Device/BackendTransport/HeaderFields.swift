import Octets

/// Header fields in order; names are compared ignoring the case of ASCII letters.
package struct HeaderFields: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// One field.
    package struct Field: Hashable, Sendable {
        package let name: String
        package var value: String { sensitiveValue.reveal() }
        private let sensitiveValue: Sensitive<String>

        package init(_ name: String, _ value: String) {
            self.name = name
            sensitiveValue = Sensitive(value)
        }
    }

    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    package init(arrayLiteral elements: Field...) { fields = elements }

    /// Adds a field at the end; another of the same name stays.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased().utf8.elementsEqual(name.lowercased().utf8) }.map(\.value)
    }

    /// Throws ``BackendTransportError/unusableHeaderField`` when a field could be read as more than one.
    package func requireUnambiguous() throws(BackendTransportError) {
        let isUsable = fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(Self.isTokenOctet)
                && field.value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
        }
        guard isUsable else { throw .unusableHeaderField }
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
        }
    }

    package func first(_ name: String) -> String? { values(of: name).first }
}
