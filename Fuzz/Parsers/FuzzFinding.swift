/// Invariant that was violated for some input.
package struct FuzzFinding: Error, Hashable, Sendable {
    /// Name of the parser.
    package let parser: String
    /// Description of the invariant.
    package let promise: String

    /// Violation of an invariant of a parser.
    package init(parser: String, promise: String) {
        self.parser = parser
        self.promise = promise
    }
}
