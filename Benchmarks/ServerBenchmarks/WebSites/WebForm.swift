import Foundation

/// Fields of a form or a query, in the order in which they are sent.
struct WebForm: ExpressibleByDictionaryLiteral {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private let fields: [(name: String, value: String)]

    init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Words in parentheses for what the form is for, as its `action` or `grant_type` says; empty without either.
    var purpose: String {
        fields.first { ["action", "grant_type"].contains($0.name) }.map { " (\($0.value))" } ?? ""
    }

    /// The fields as `application/x-www-form-urlencoded`.
    var text: String {
        fields.map { "\($0.name)=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
