import Receipts
import Testing

@Suite("Receipts have a type of their own, so that no other statement of the server is taken for one")
struct ReceiptFormTests {
    @Test("The type stands in the documents, and none of an access token or of the short-lived result")
    func type() {
        #expect(Receipt.type == "signet-receipt+jwt")
        #expect(!["jwt", "at+jwt", "signet-result+jwt", "logout+jwt"].contains(Receipt.type))
    }
}
