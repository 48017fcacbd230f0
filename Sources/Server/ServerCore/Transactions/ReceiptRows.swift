/// Rows of receipts.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol ReceiptRows: ReceiptSnapshot {
    /// Adds a public key of receipts, for ever; nothing happens when it is there.
    func insertReceiptKey(_ id: ServerKeyID, jwk: [UInt8], at now: Timestamp) throws(ServerTransactionFailure)
}

/// Rows of receipts; for reading.
///
/// Part of ``ServerSnapshot``.
package protocol ReceiptSnapshot {
    func receipt(of ceremony: CeremonyID) throws(ServerTransactionFailure) -> StoredReceipt?

    /// Public keys of receipts as JWKs with their `kid`, oldest first.
    func receiptKeys() throws(ServerTransactionFailure) -> [(id: ServerKeyID, jwk: [UInt8])]
}
