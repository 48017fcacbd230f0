import Foundation
import UAF

/// What the operation knows of the link.
struct ChannelLinkingState: ChannelLinkingContext {
    let username: Username
    let mode: ChannelLinkingMode
    let digitCount: Int
    let digits: String?
    let transactionConfirmationData: Data?
    let lastRecoverableError: ChannelLinkingError?

    private enum CodingKeys: String, CodingKey {
        case username, mode, digitCount, digits, transactionConfirmationData
    }
}

extension ChannelLinkingState {
    /// The context of a question.
    init(_ question: LinkingQuestion) {
        self.init(
            username: question.username.text, mode: question.shownDigits == nil ? .typed : .compare,
            digitCount: question.digitCount, digits: question.shownDigits,
            transactionConfirmationData: question.transactionText.map { Data($0) },
            lastRecoverableError: question.wasMalformed
                ? .InvalidDigits(
                    description: SDKText.linkingDigits(question.digitCount).localized, cause: nil) : nil)
    }
}
