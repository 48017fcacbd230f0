import Octets
import TestSupport
import Testing
import UAF

@Suite("Authenticator Commands 1.1, 4: properties of the TLV reader")
struct AssertionPropertyTests {
    private static let rounds = 200

    @Test("A registration assertion that is written is read back to the same value")
    func registrationRoundTrip() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<Self.rounds {
            let assertion = try SyntheticAssertion.registration(&random)
            #expect(try RegistrationAssertion(octets: assertion.encoded()) == assertion)
        }
    }

    @Test("An authentication assertion that is written is read back to the same value")
    func authenticationRoundTrip() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<Self.rounds {
            let assertion = try SyntheticAssertion.authentication(&random)
            #expect(try AuthenticationAssertion(octets: assertion.encoded()) == assertion)
        }
    }

    @Test("An assertion that is cut off anywhere, or followed by anything, is refused")
    func truncation() throws {
        var random = SeededGenerator(seed: 3)
        let registration = try SyntheticAssertion.registration(&random).encoded()
        TruncationVerifier.verify(registration) { octets throws(TLVError) in
            _ = try RegistrationAssertion(octets: octets)
        }
        let authentication = try SyntheticAssertion.authentication(&random).encoded()
        TruncationVerifier.verify(authentication) { octets throws(TLVError) in
            _ = try AuthenticationAssertion(octets: octets)
        }
    }

    @Test("Any bytes are read or refused by a typed error, never anything else")
    func anyBytes() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 { Self.readAll(random.octets(0...300)) }
    }

    @Test("A flipped byte is read or refused by a typed error, and what is read keeps the received bytes")
    func flippedBytes() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<3 {
            let octets = try SyntheticAssertion.registration(&random).encoded()
            for index in octets.indices {
                var flipped = octets
                flipped[index] ^= UInt8.random(in: 1...255, using: &random)
                Self.readAll(flipped)
                guard let read = try? RegistrationAssertion(octets: flipped) else { continue }
                let data = read.keyRegistrationData.octets
                #expect(flipped.indices.contains { flipped[$0...].starts(with: data) })
            }
        }
    }

    private static func readAll(_ octets: [UInt8]) {
        _ = try? RegistrationAssertion(octets: octets)
        _ = try? AuthenticationAssertion(octets: octets)
    }
}
