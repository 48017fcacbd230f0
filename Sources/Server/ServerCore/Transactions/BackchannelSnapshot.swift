/// Rows of CIBA, of receipts and of idempotent requests; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether something has expired is judged by the rules, never by the storage.
package protocol BackchannelSnapshot {
    /// The request, expired or not.
    func backchannelRequest(_ id: BackchannelRequestHash) throws(ServerTransactionFailure) -> BackchannelRequest?

    /// The request whose ceremony this is.
    func backchannelRequest(of ceremony: CeremonyID) throws(ServerTransactionFailure) -> BackchannelRequest?

    /// The receipt of a ceremony.
    func receipt(of ceremony: CeremonyID) throws(ServerTransactionFailure) -> StoredReceipt?

    /// Public keys of receipts as JWKs with their `kid`, oldest first.
    func receiptKeys() throws(ServerTransactionFailure) -> [(id: ServerKeyID, jwk: [UInt8])]

    /// The target that other systems know by this name, with its user.
    func target(externalID: TargetExternalID) throws(ServerTransactionFailure) -> OwnedTarget?

    /// The request with this idempotency key.
    func idempotentRequest(_ key: IdempotencyKeyHash) throws(ServerTransactionFailure) -> IdempotentRequest?
}
