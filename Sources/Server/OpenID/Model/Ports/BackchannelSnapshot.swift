package import ServerCore

/// Rows of CIBA, of receipts and of idempotent requests; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether something has expired is judged by the rules, never by the storage.
package protocol BackchannelSnapshot {
    /// The request, expired or not.
    func backchannelRequest(_ id: BackchannelRequestHash) throws(ServerTransactionFailure) -> BackchannelRequest?

    func backchannelRequest(of ceremony: CeremonyID) throws(ServerTransactionFailure) -> BackchannelRequest?

    /// The grant whose tokens answer a request, ended or not; nil while there is none.
    func grant(of request: BackchannelRequestHash) throws(ServerTransactionFailure) -> GrantID?

    func idempotentRequest(_ key: IdempotencyKeyHash) throws(ServerTransactionFailure) -> IdempotentRequest?
}
