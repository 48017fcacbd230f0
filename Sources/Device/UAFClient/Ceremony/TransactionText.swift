import Octets
package import UAF

/// The text of a transaction that can be shown to the user exactly as it will be signed.
package struct TransactionText: Hashable, Sendable {
    package static let byteLimit = 4096

    /// The bytes to show and to sign: UTF-8.
    package let octets: [UInt8]

    /// Takes the transaction of a request.
    ///
    /// Refused are content that is no text, bytes that are no UTF-8, and characters that show something other than what
    /// is there: control characters other than line breaks, and the controls of bidirectional text.
    package init(_ transactions: [Transaction]) throws(CeremonyFailure) {
        guard transactions.count == 1, let transaction = transactions.first,
            transaction.contentType == .plainText, (1...Self.byteLimit).contains(transaction.content.count),
            let text = String(validUTF8: transaction.content),
            text.unicodeScalars.allSatisfy(Self.isHarmless)
        else { throw .fido(.invalidTransactionContent) }
        octets = transaction.content
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D: true
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: false
        default: scalar.properties.generalCategory != .control
        }
    }
}
