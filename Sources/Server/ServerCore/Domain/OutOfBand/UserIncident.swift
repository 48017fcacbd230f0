/// What is counted of a user's out-of-band operations.
package enum UserIncident: String, Sendable, Hashable, CaseIterable {
    /// A message was pushed.
    case push
    /// The digits typed were not those shown.
    case wrongDigits = "wrong-digits"
    /// The user has said that somebody else began the operation.
    case report
}
