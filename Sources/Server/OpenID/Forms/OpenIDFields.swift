/// Fields of an authorization or logout request, decoded; a field that stands twice makes it malformed.
package struct OpenIDFields: Sendable, Hashable {
    package static let limit = 40

    package let fields: [String: String]

    /// Takes fields; nil for more than ``limit`` or for one that stands twice (RFC 6749, 3.1).
    package init?(_ pairs: [(name: String, value: String)]) {
        guard pairs.count <= Self.limit else { return nil }
        var fields: [String: String] = [:]
        for pair in pairs {
            guard fields.updateValue(pair.value, forKey: pair.name) == nil else { return nil }
        }
        self.fields = fields
    }

    /// Value of a field; nil when it is absent or empty (RFC 6749, 3.1).
    package subscript(_ name: String) -> String? {
        fields[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The fields as a query, by their names, escaped by ``FormPairs/encode(_:)``.
    package var query: String {
        let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return FormPairs.encode(sorted.map { ($0.key, $0.value) })
    }
}
