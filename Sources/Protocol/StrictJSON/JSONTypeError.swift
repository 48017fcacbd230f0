/// A JSON value is well formed but not what its place in the document asks for.
package struct JSONTypeError: Error, Hashable, Sendable {
    /// Reason why the value does not fit.
    package enum Reason: Hashable, Sendable {
        case missing
        /// The value is of another kind (`null` never stands for "absent").
        case wrongKind(expected: JSONKind, found: JSONKind)
        case outOfRange
        /// The value is of the right kind but not of the required form.
        case invalidForm
        /// The object has a member of a name that stands for nothing there.
        case unknownMember
    }

    /// Names and indices that lead from the document to the value, outermost first.
    package var path: [String]
    package let reason: Reason

    package init(path: [String] = [], _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The same error seen from the value that contains the offending one.
    package func inside(_ component: String) -> JSONTypeError {
        JSONTypeError(path: [component] + path, reason)
    }
}
