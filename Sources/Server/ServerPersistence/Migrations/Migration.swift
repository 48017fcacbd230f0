/// One step from an older form of the tables to a newer one; never edited once released.
package struct Migration: Sendable {
    /// Place in the order, from 1 without gaps.
    package let number: Int
    /// What the step brings, for the record.
    package let name: String
    /// The statements, run in order in one transaction.
    package let statements: [String]

    /// Describes a step.
    package init(_ number: Int, _ name: String, _ statements: [String]) {
        self.number = number
        self.name = name
        self.statements = statements
    }
}
