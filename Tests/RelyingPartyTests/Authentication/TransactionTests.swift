import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.5.7.5, step 6.10: transaction confirmation")
struct TransactionTests {
    private static let text = Array("Pay 42.00 EUR to ACME?".utf8)

    private func ceremony(_ texts: [[UInt8]] = [text]) throws -> Ceremony {
        var ceremony = try Ceremony()
        ceremony.transactions = texts.map { Transaction(contentType: .plainText, content: $0) }
        return ceremony
    }

    @Test("The hash of the content, or of any other rendering of it, confirms the transaction")
    func confirmed() throws {
        var ceremony = try ceremony()
        let message = try ceremony.authenticationMessage()
        let verified = try ceremony.authenticated(message)
        #expect(verified.confirmedTransaction == ceremony.transactions.first?.contentHash)
        ceremony.transactions.insert(Transaction(contentType: .plainText, content: [1]), at: 0)
        _ = try ceremony.authenticated(message)
    }

    @Test("A hash of other content, or no hash, is refused")
    func otherContent() throws {
        let ceremony = try ceremony()
        for hash in [[], [UInt8](repeating: 1, count: 32), Self.text] {
            let fault = SyntheticFault(signedData: { $0.set(0x2E10, to: hash) })
            try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony)
        }
    }

    @Test("A mere authentication does not confirm a transaction")
    func authenticationOnly() throws {
        let confirming = try ceremony()
        var plain = confirming
        plain.transactions = []
        try expectRefusal(try plain.authenticationMessage(), in: confirming)
    }

    @Test("A confirmation is no mere authentication")
    func confirmationOnly() throws {
        let confirming = try ceremony()
        var plain = confirming
        plain.transactions = []
        try expectRefusal(try confirming.authenticationMessage(), in: plain)
    }

    @Test("Other modes than 1 and 2 are refused", arguments: [0, 3, 255] as [UInt8])
    func mode(_ mode: UInt8) throws {
        let fault = SyntheticFault(signedData: { $0.change(0x2E0E) { $0[2] = mode } })
        for ceremony in [try ceremony(), try ceremony([])] {
            try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony)
        }
    }

    @Test("A hash without a transaction is refused also in mode 1")
    func hashInModeOne() throws {
        let ceremony = try ceremony([])
        let fault = SyntheticFault(signedData: { $0.set(0x2E10, to: [UInt8](repeating: 0, count: 32)) })
        try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony)
    }

    private func expectRefusal(_ message: [UInt8], in ceremony: Ceremony) throws {
        let error = #expect(throws: RelyingPartyError.self) { _ = try ceremony.authenticated(message) }
        #expect(error?.verdict == Verdict(check: 19, status: 1498))
    }
}
