package import ServerCore

/// Request with the header `Idempotency-Key` (16 to 64 visible ASCII characters), and its answer once there is one.
///
/// The same key with the same content gets the first answer again, for ``memory``; with another content it is refused
/// (422 `idempotencyKeyReused`), and while the first is being answered too (409 `requestInProgress`). Answers of 5xx and 429
/// are not kept. Bodies that hold a redeem token are kept sealed.
package struct IdempotentRequest: Sendable, Hashable {
    package static let memory = ServerSettings.idempotentAnswerRetention
    /// Time after which a request without an answer is taken for lost, and may come again.
    package static let patience: Duration = .seconds(60)

    /// Answer as it was sent.
    package struct Answer: Sendable, Hashable {
        package let status: Int
        /// Body, sealed by the server: at most 64 KiB inside.
        package let sealedBody: [UInt8]

        package init(status: Int, sealedBody: [UInt8]) {
            self.status = status
            self.sealedBody = sealedBody
        }
    }

    package let key: IdempotencyKeyHash
    package let content: RequestContentHash
    package let createdAt: Timestamp
    package var answer: Answer?

    package init(
        key: IdempotencyKeyHash, content: RequestContentHash, createdAt: Timestamp, answer: Answer? = nil
    ) {
        self.key = key
        self.content = content
        self.createdAt = createdAt
        self.answer = answer
    }
}
