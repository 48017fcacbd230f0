/// Rows of CIBA, of receipts and of idempotent requests.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else. One
/// that returns whether it has written compares in the statement that writes, so that of two processes one succeeds.
package protocol BackchannelRows: BackchannelSnapshot {
    /// Adds a request of CIBA.
    func insert(_ request: BackchannelRequest) throws(ServerTransactionFailure)

    /// Writes stage, interval and last poll; false when its stage is another than `known`.
    func advance(
        _ request: BackchannelRequest, from known: BackchannelRequest.Stage
    ) throws(ServerTransactionFailure) -> Bool

    /// Adds a public key of receipts, for ever; nothing happens when it is there.
    func insertReceiptKey(_ id: ServerKeyID, jwk: [UInt8], at now: Timestamp) throws(ServerTransactionFailure)

    /// Adds a request, in place of one without an answer that was made before `lost`; false when there is another one.
    func insert(
        _ request: IdempotentRequest, replacingMadeBefore lost: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    /// Writes the answer to a request, or with nil forgets the request.
    func answer(
        _ key: IdempotencyKeyHash, with answer: IdempotentRequest.Answer?
    ) throws(ServerTransactionFailure)

    /// Forgets some `limit` requests of CIBA that expired, and idempotent requests made, before `time`; returns how many.
    func removeBackchannelRows(before time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Forgets some `limit` receipts confirmed before `time`; returns how many.
    func removeReceipts(confirmedBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int
}
