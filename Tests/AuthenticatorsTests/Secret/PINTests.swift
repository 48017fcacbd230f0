import Authenticators
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("A PIN is 4 to 64 digits")
struct PINTests {
    @Test("Digits are taken", arguments: ["0000", "482913", String(repeating: "9", count: 64)])
    func digits(text: String) throws {
        let pin = try PIN.make(text)
        #expect(pin.digitCount == text.utf8.count)
        #expect(pin.withUnsafeBytes { Array($0) } == Array(text.utf8))
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "123", String(repeating: "9", count: 65), "12a4", "12 4", "-123", "1234\n", "12\u{0}4", "١٢٣٤", "１２３４",
            "123\u{301}4",
        ])
    func others(text: String) {
        if PIN(text) != nil { Issue.record("taken") }
        if PIN(SecretOctets(copying: Array(text.utf8))) != nil { Issue.record("taken") }
    }

    @Test(
        "SDK-6: every common PIN of the vectors is refused",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func commonPINs() throws {
        let file = try JSONParser.parse(VectorFolder.bytes(of: "strings/common-pins.json")).asObject()
        #expect(Set(file.members.map(\.name)) == ["source", "assert", "fourDigit", "sixDigit"])
        for list in ["fourDigit", "sixDigit"] {
            let pins = try file.required(list) { value throws(JSONTypeError) in
                try value.asNonEmptyArray { item throws(JSONTypeError) in try item.asString() }
            }
            for digits in pins {
                let pin = try PIN.make(digits)
                #expect(throws: GuessablePIN.self, "\(digits)") { try pin.requireUnguessable() }
            }
        }
    }

    @Test("Ordinary PINs pass", arguments: ["4829", "482913", "730518", "906142", "2749", "8305", "94728150"])
    func uncommon(digits: String) throws {
        let pin = try PIN.make(digits)
        try pin.requireUnguessable()
    }

    @Test("The rules leave at least nine of ten PINs")
    func share() throws {
        var refused = 0
        for number in 0..<10_000 {
            let digits = String(String(number + 10_000).dropFirst())
            let pin = try PIN.make(digits)
            do {
                try pin.requireUnguessable()
            } catch {
                refused += 1
            }
        }
        #expect(refused < 1_300)
    }
}
