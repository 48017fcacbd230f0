import Octets

/// How the user has to show that this device answers the screen in front of him.
package struct LinkingDemand: Hashable, Sendable {
    /// How many digits there are.
    package let digitCount: Int
    /// The digits, where the user compares them.
    package let shownDigits: String?

    package init(digitCount: Int, shownDigits: String? = nil) {
        self.digitCount = digitCount
        self.shownDigits = shownDigits
    }

    /// What came of an answer.
    enum Judgement: Hashable {
        /// It goes to the server.
        case accepted
        /// It is no such number of digits.
        case malformed
        /// The user compared, and saw something else.
        case different
    }

    func judgement(of digits: String) -> Judgement {
        let isWellFormed =
            digits.utf8.count == digitCount
            && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isWellFormed else { return .malformed }
        return shownDigits.map { $0.hasSameOctets(as: digits) } ?? true ? .accepted : .different
    }
}
