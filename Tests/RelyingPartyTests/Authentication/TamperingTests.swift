import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("Tampering: no changed byte of an assertion is ever accepted")
struct TamperingTests {
    @Test("A changed byte anywhere in a registration is refused")
    func registration() async throws {
        let ceremony = try Ceremony()
        let length = try ceremony.authenticator.registration(for: "e30").count
        for offset in 0..<length {
            for mask in [0x01, 0x80] as [UInt8] {
                let fault = SyntheticFault(octets: { $0[min(offset, $0.count - 1)] ^= mask })
                let message = try ceremony.registrationMessage(spoiling: fault)
                await #expect(throws: RelyingPartyError.self, "offset \(offset)") {
                    _ = try await ceremony.registered(message)
                }
            }
        }
    }

    @Test("A changed byte anywhere in an authentication is refused")
    func authentication() throws {
        let ceremony = try Ceremony()
        let length = try ceremony.authenticator.authentication(for: "e30").count
        for offset in 0..<length {
            for mask in [0x01, 0x80] as [UInt8] {
                let fault = SyntheticFault(octets: { $0[min(offset, $0.count - 1)] ^= mask })
                let message = try ceremony.authenticationMessage(spoiling: fault)
                #expect(throws: RelyingPartyError.self, "offset \(offset)") {
                    _ = try ceremony.authenticated(message)
                }
            }
        }
    }

    @Test("An assertion that is cut short or grows is refused")
    func length() throws {
        let ceremony = try Ceremony()
        for count in stride(from: 0, to: 200, by: 7) {
            let cut = SyntheticFault(octets: { $0 = Array($0.prefix(count)) })
            let grown = SyntheticFault(octets: { $0 += [UInt8](repeating: 0, count: count + 1) })
            for fault in [cut, grown] {
                let message = try ceremony.authenticationMessage(spoiling: fault)
                #expect(throws: RelyingPartyError.self) { _ = try ceremony.authenticated(message) }
            }
        }
    }
}
