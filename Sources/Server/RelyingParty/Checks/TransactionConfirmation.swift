import Octets
import UAF

/// Check of the transaction confirmation: a transaction is confirmed exactly when one was to be confirmed.
///
/// FIDO UAF Protocol 1.1, 3.5.7.5.
enum TransactionConfirmationCheck {
    /// Throws unless mode and hash fit the request; gives the hash that was confirmed, nil when there was none to be.
    static func confirmed(
        _ signedData: SignedData, among hashes: [[UInt8]]
    ) throws(RefusalReason) -> [UInt8]? {
        if hashes.isEmpty {
            try requireNone(in: signedData)
            return nil
        }
        return try rendering(confirmedIn: signedData, among: hashes)
    }

    /// Requires an authentication alone: mode 1, and no hash.
    private static func requireNone(in signedData: SignedData) throws(RefusalReason) {
        guard signedData.info.mode == .userVerified else { throw .authenticationMode }
        guard signedData.transactionContentOctets.isEmpty else { throw .transaction }
    }

    /// Hash of the rendering that the user was shown, compared in constant time; requires mode 2.
    private static func rendering(
        confirmedIn signedData: SignedData, among hashes: [[UInt8]]
    ) throws(RefusalReason) -> [UInt8] {
        guard signedData.info.mode == .transactionConfirmed else { throw .authenticationMode }
        let content = signedData.transactionContentOctets
        for hash in hashes where (try? ConstantTimeEquality.require(content, equals: hash[...])) != nil { return hash }
        throw .transaction
    }
}
