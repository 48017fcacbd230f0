import TestSupport
import Testing
import UAF

@testable import RelyingParty

/// SRV-1: the user of a result is the user of the challenge and the owner of the credential, whatever the store holds.
@Suite("SRV-1: no other user's credential ever answers")
struct OwnershipPropertyTests {
    private static let userCount = 6
    private static let roundCount = 120

    @Test("Over random stores and every user's credential", arguments: [1, 2, 3] as [UInt64])
    func ownership(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var authenticators: [SyntheticAuthenticator] = []
        for index in 0..<Self.userCount {
            var authenticator = try SyntheticAuthenticator(
                aaid: AAID(vendor: VendorID(number: 0xFFFF), model: UInt16(index % 2)))
            // Two users may have the same KeyID on different models.
            if index % 3 == 1 { authenticator.keyID = authenticators[index - 1].keyID }
            authenticators.append(authenticator)
        }
        for _ in 0..<Self.roundCount { try judge(authenticators, &random) }
    }

    /// One challenge for a random user, one answer by a random key, a random selection of the store.
    private func judge(_ authenticators: [SyntheticAuthenticator], _ random: inout SplitMix) throws {
        let asked = Int(random.next() % UInt64(Self.userCount))
        let answering = Int(random.next() % UInt64(Self.userCount))
        let knowsUser = random.next() % 4 != 0
        var ceremony = try Ceremony(authenticators[answering])
        ceremony.metadata = authenticators.map(\.metadata)
        ceremony.account = knowsUser ? Self.account(asked) : nil
        ceremony.policy = Policy(accepted: [[MatchCriteria(aaids: Array(Set(authenticators.map(\.aaid))))]])
        var store: [StoredCredential] = []
        for (index, authenticator) in authenticators.enumerated() where random.next() % 8 != 0 {
            store.append(try ceremony.stored(authenticator, account: Self.account(index)))
        }
        let message = try ceremony.authenticationMessage()
        let isOwn = !knowsUser || asked == answering
        do throws(RelyingPartyError) {
            let verified = try ceremony.authenticated(message, stored: store)
            #expect(isOwn)
            #expect(verified.account == Self.account(answering))
            for use in verified.uses {
                let owner = store.first { $0.registration == use.registration }
                #expect(owner?.account == verified.account)
            }
        } catch {
            let isStored = store.contains { $0.account == Self.account(answering) }
            #expect(!isOwn || !isStored, "\(error)")
            #expect([1401, 1481, 1492].contains(error.status.rawValue))
        }
    }

    private static func account(_ index: Int) -> AccountReference {
        AccountReference([UInt8(index)])
    }
}

/// A small generator whose run can be repeated from its seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
