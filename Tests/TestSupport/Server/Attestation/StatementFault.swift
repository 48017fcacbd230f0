/// Statement of a manufacturer with one fault, and the refusal that names it.
package struct StatementFault<Statement: Sendable, Refusal: Error>: Sendable, CustomStringConvertible {
    /// The fault in words, for reports of tests.
    package let description: String
    /// The refusal of a statement with this fault, and of none without.
    package let refusal: Refusal
    /// Makes the fault in a sound statement.
    package let change: @Sendable (inout Statement) -> Void

    /// Fault with a change of a sound statement.
    package init(
        _ description: String, _ refusal: Refusal, change: @escaping @Sendable (inout Statement) -> Void
    ) {
        self.description = description
        self.refusal = refusal
        self.change = change
    }
}
