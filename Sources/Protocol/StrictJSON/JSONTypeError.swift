/// A JSON value is well formed but not what its place in the document asks for.
package struct JSONTypeError: Error, Hashable, Sendable {
    /// Reason why the value does not fit.
    package enum Reason: Hashable, Sendable {
        /// A member that must be there is not.
        case missing
        /// The value is of another kind (`null` never stands for "absent").
        case wrongKind(expected: JSONKind, found: JSONKind)
        /// The number or length lies outside the allowed range.
        case outOfRange
        /// The value is of the right kind but not of the required form.
        case invalidForm
    }

    /// Names and indices that lead from the document to the value, outermost first.
    package var path: [String]
    /// Reason why the value does not fit.
    package let reason: Reason

    /// Creates the error for a value that does not fit.
    package init(path: [String] = [], _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The same error seen from the value that contains the offending one.
    package func inside(_ component: String) -> JSONTypeError {
        JSONTypeError(path: [component] + path, reason)
    }
}
