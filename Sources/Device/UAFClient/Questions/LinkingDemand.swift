import BackendAPI
package import Octets

/// Channel linking that a server demands: the user shows that this device answers the screen in front of them.
package struct LinkingDemand: Hashable, Sendable {
    package let digitCount: Int
    /// Digits to compare; nil where the user types them.
    package let shownDigits: Sensitive<String>?

    package init(digitCount: Int, shownDigits: String? = nil) {
        self.digitCount = digitCount
        self.shownDigits = shownDigits.map(Sensitive.init)
    }

    init(_ demand: ChannelLinkingDemand) {
        self.init(digitCount: demand.length, shownDigits: demand.digits)
    }

    /// Result of checking an answer.
    enum Judgement: Hashable {
        case accepted
        /// It does not have that number of digits.
        case malformed
        /// The user compared, and saw something else.
        case different
    }

    func judgement(of digits: String) -> Judgement {
        let isWellFormed =
            digits.utf8.count == digitCount
            && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isWellFormed else { return .malformed }
        return shownDigits.map { $0.reveal().hasSameOctets(as: digits) } ?? true ? .accepted : .different
    }
}
