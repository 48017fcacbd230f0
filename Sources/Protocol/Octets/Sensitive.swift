/// A value that is not printed: a token, a cookie, digits, a link with a token in it.
///
/// Descriptions, interpolated texts, `dump`, reflection and the metadata of a logger say ``mark`` and nothing else, also
/// when the value lies deep in another one whose description the compiler has written. It has no coding, so that no type
/// that holds one can be encoded by accident. What is inside is read with ``reveal()``, and a search for that word
/// finds each place where a secret leaves.
///
/// The memory is not wiped: a secret that may be wiped belongs into ``SecretOctets``.
package struct Sensitive<Value> {
    private let value: Value

    package init(_ value: Value) { self.value = value }

    /// The value; the caller keeps it out of logs, errors and reports.
    package func reveal() -> Value { value }
}

extension Sensitive: Sendable where Value: Sendable {}
/// Not in constant time: what a stranger may guess is compared by its hash.
extension Sensitive: Equatable where Value: Equatable {}
extension Sensitive: Hashable where Value: Hashable {}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Text printed in place of every value, whatever its type and length.
    package static var mark: String { "<redacted>" }

    package var description: String { Self.mark }

    package var debugDescription: String { Self.mark }

    /// Empty, so that reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
