/// A promise that a parser broke for some input.
package struct FuzzFinding: Error, Hashable, Sendable {
    /// The name of the parser.
    package let parser: String
    /// The promise.
    package let promise: String
}
