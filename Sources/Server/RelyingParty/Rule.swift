/// A numbered check of the server's processing rules (FIDO UAF Protocol 1.1, 3.4.6.5 and 3.5.7.5).
///
/// The numbers are those of the project's tables of checks, which follow the specification's steps in order.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
    /// Which table.
    package enum Operation: String, Hashable, Sendable {
        /// Registration response.
        case registration
        /// Authentication response, with or without a transaction.
        case authentication
    }

    /// Which table.
    package let operation: Operation
    /// Which check, from 1.
    package let check: Int

    /// Operation and number.
    package var description: String { "\(operation.rawValue) \(check)" }
}
