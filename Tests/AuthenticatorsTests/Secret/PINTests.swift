import StrictJSON
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("A PIN is 4 to 64 digits")
struct PINTests {
    @Test("Digits are taken", arguments: ["0000", "482913", String(repeating: "9", count: 64)])
    func digits(text: String) throws {
        let pin = try UserSecret.pin(text)
        #expect(pin.withUnsafeBytes { Array($0) } == Array(text.utf8))
        #expect(pin.kind == .pin && UserSecret.isPIN(text.utf8))
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "123", String(repeating: "9", count: 65), "12a4", "12 4", "-123", "1234\n", "12\u{0}4", "١٢٣٤", "１２３４",
            "123\u{301}4",
        ])
    func others(text: String) {
        if UserSecret(pin: text.utf8) != nil { Issue.record("taken") }
        #expect(!UserSecret.isPIN(text.utf8))
    }

    @Test("What was typed is a PIN, a password or nothing, as the model asks that it was typed for")
    func models() throws {
        for profile in DeviceProfile.allCases {
            #expect(kind(of: "482913", for: profile.aaid(of: .pin)) == .pin)
            #expect(kind(of: "48291a", for: profile.aaid(of: .pin)) == nil)
            #expect(kind(of: "48291a", for: profile.aaid(of: .password)) == .password)
            #expect(kind(of: "", for: profile.aaid(of: .password)) == nil)
            for other in AuthenticatorKind.allCases where !other.isVerifiedByApplication {
                #expect(kind(of: "482913", for: profile.aaid(of: other)) == nil)
            }
        }
        #expect(kind(of: "482913", for: try #require(AAID("FFFF#FFFF"))) == nil)
    }

    /// Kind of the secret that a text is for a model; nil when it is none.
    private func kind(of text: String, for aaid: AAID) -> AuthenticatorKind? {
        guard let secret = UserSecret(copying: text.utf8, for: aaid) else { return nil }
        return secret.kind
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
                #expect(GuessablePINs.contains(digits.utf8), "\(digits)")
            }
        }
    }

    @Test("Ordinary PINs pass", arguments: ["4829", "482913", "730518", "906142", "2749", "8305", "94728150"])
    func uncommon(digits: String) {
        #expect(!GuessablePINs.contains(digits.utf8))
    }

    @Test("The rules leave at least nine of ten PINs")
    func share() {
        let refused = (10_000..<20_000).count { GuessablePINs.contains(String($0).utf8.dropFirst()) }
        #expect(refused < 1_300)
    }
}
