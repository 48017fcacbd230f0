package import UAF

/// Asks for the digits of the screen where an operation was begun.
package struct LinkingQuestion: Hashable, Sendable {
    package let username: UserName
    /// How many digits there are.
    package let digitCount: Int
    /// The digits for comparison; nil where the user types what he reads.
    package let shownDigits: String?
    /// The text of a transaction.
    package let transactionText: [UInt8]?
    /// Whether the last answer was not so many digits.
    package let wasMalformed: Bool
    package let limit: QuestionLimit
}
