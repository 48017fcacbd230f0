import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Transaction texts that mean no good")
struct HostileTextTests {
    private func text(_ octets: [UInt8]) throws -> TransactionText {
        try TransactionText([Transaction(contentType: .plainText, content: octets)])
    }

    @Test(
        "What shows something else than it says is refused",
        arguments: [
            "Pay \u{202E}001", "a\u{2066}b\u{2069}", "a\u{200E}b", "a\u{061C}b", "bell\u{7}", "\u{1B}[31mred",
            "nul\u{0}",
            "\u{85}", "\u{9F}",
        ])
    func hidden(content: String) {
        #expect(throws: CeremonyFailure.self) { try text(Array(content.utf8)) }
    }

    @Test("Line breaks, emoji, right-to-left letters and combining marks stay, byte for byte")
    func kept() throws {
        for content in [
            "a\r\nb\n", "\u{1F600}\u{1F468}\u{200D}\u{1F469}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "Zu\u{308}rich",
            "Z\u{FC}rich",
        ] {
            #expect(try text(Array(content.utf8)).octets == Array(content.utf8))
        }
    }

    @Test("Ten thousand lines are refused, as many as fit are kept")
    func length() throws {
        let lines = [UInt8](repeating: 0x0A, count: 10_000)
        #expect(throws: CeremonyFailure.self) { try text(lines) }
        #expect(try text(Array(lines.prefix(TransactionText.byteLimit))).octets.count == TransactionText.byteLimit)
        #expect(throws: CeremonyFailure.self) { try text([]) }
    }

    @Test("Bytes that are no UTF-8, and more than one transaction, are refused")
    func malformed() {
        for octets in [[0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF]] as [[UInt8]] {
            #expect(throws: CeremonyFailure.self) { try text(octets) }
        }
        let transaction = Transaction(contentType: .plainText, content: [0x61])
        #expect(throws: CeremonyFailure.self) { try TransactionText([transaction, transaction]) }
    }
}
