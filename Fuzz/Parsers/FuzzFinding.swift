/// A promise that a parser broke for some input.
package struct FuzzFinding: Error, Hashable, Sendable {
    /// The name of the parser.
    package let parser: String
    /// The promise.
    package let promise: String

    /// Names a broken promise.
    package init(parser: String, promise: String) {
        self.parser = parser
        self.promise = promise
    }
}
