package import ServerCore

/// Rows of CIBA, of receipts and of idempotent requests.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// A method that returns whether it has written compares in the statement that writes, so of two processes one
/// succeeds.
package protocol BackchannelRows: BackchannelSnapshot {
    func insert(_ request: BackchannelRequest) throws(ServerTransactionFailure)

    /// Writes stage, interval and last poll; false when its stage is another than `known`.
    func advance(
        _ request: BackchannelRequest, from known: BackchannelRequest.Stage
    ) throws(ServerTransactionFailure) -> Bool

    /// Notes the grant whose tokens answer a request, in place of one before.
    func note(_ grant: GrantID, of request: BackchannelRequestHash) throws(ServerTransactionFailure)

    /// Adds a request, in place of one without an answer that was made before `lost`; false when there is another one.
    func insert(
        _ request: IdempotentRequest, replacingMadeBefore lost: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    /// Writes the answer to a request, or with nil forgets the request.
    func answer(
        _ key: IdempotencyKeyHash, with answer: IdempotentRequest.Answer?
    ) throws(ServerTransactionFailure)
}
