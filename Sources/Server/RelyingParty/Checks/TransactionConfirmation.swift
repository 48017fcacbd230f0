import Octets
import UAF

/// Check of the transaction confirmation: a transaction is confirmed exactly when one was to be confirmed.
///
/// FIDO UAF Protocol 1.1, 3.5.7.5.
enum TransactionConfirmationCheck {
    /// Throws unless mode and hash fit the request; gives the hash that was confirmed.
    static func confirmed(
        _ signedData: SignedData, among hashes: [[UInt8]]
    ) throws(RefusalReason) -> [UInt8]? {
        let content = signedData.hashes.transactionContent
        if hashes.isEmpty {
            guard signedData.info.mode == .userVerified else { throw .authenticationMode }
            guard content.isEmpty else { throw .transaction }
            return nil
        }
        guard signedData.info.mode == .transactionConfirmed else { throw .authenticationMode }
        for hash in hashes where (try? ConstantTimeEquality.require(content, equals: hash)) != nil { return hash }
        throw .transaction
    }
}
