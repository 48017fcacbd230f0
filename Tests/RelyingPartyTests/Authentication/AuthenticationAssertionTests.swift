import Crypto
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.5.7.5: authentication response, each assertion")
struct AuthenticationAssertionTests {
    @Test("A good response proves the user of the request")
    func good() throws {
        let ceremony = try Ceremony()
        let verified = try ceremony.authenticated(try ceremony.authenticationMessage())
        #expect(verified.account == Ceremony.account)
        #expect(verified.challenge == ceremony.challenge)
        #expect(verified.uses.map(\.registration) == [try ceremony.stored().registration])
        #expect(verified.confirmedTransaction == nil)
    }

    @Test("A registration response is no authentication response")
    func otherOperation() throws {
        let ceremony = try Ceremony()
        try expectRefusal(try ceremony.registrationMessage(), in: ceremony, 2, 1498)
    }

    @Test("serverData, appID and facet are checked as in a registration, and consume nothing")
    func address() throws {
        var ceremony = try Ceremony()
        let message = try ceremony.authenticationMessage()
        ceremony.serverData = ServerData("sealed otherwise")
        try expectRefusal(message, in: ceremony, 3, 1498)
        ceremony = try Ceremony()
        ceremony.appID = AppID("https://attacker.example/facets")
        try expectRefusal(message, in: ceremony, 5, 1498)
        ceremony = try Ceremony()
        ceremony.client.facet = try #require(FacetID("ios:bundle-id:com.example.attacker"))
        try expectRefusal(try ceremony.authenticationMessage(), in: ceremony, 6, 1498)
    }

    @Test(
        "A challenge that was used, has expired or is unknown is refused",
        arguments: [.consumed, .expired, .unknown] as [ChallengeState])
    func challenge(_ state: ChallengeState) throws {
        var ceremony = try Ceremony()
        ceremony.challengeState = state
        try expectRefusal(try ceremony.authenticationMessage(), in: ceremony, 8, 1491)
    }

    @Test(
        "A mandatory field that is missing or empty is refused",
        arguments: [0x2E0B, 0x2E0E, 0x2E0F, 0x2E0A, 0x2E09, 0x2E0D] as [UInt16])
    func fields(tag: UInt16) throws {
        let ceremony = try Ceremony()
        for fault in [
            SyntheticFault(signedData: { $0.remove(tag) }), SyntheticFault(signedData: { $0.set(tag, to: []) }),
        ] {
            try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony, 11, 1498)
        }
    }

    @Test("A transaction hash or signature that is missing, and a nonce of 7 bytes, are refused")
    func otherFields() throws {
        let ceremony = try Ceremony()
        for fault in [
            SyntheticFault(signedData: { $0.remove(0x2E10) }), SyntheticFault(assertion: { $0.remove(0x2E06) }),
            SyntheticFault(signature: { $0 = [] }),
            SyntheticFault(signedData: { $0.set(0x2E0F, to: [1, 2, 3, 4, 5, 6, 7]) }),
        ] {
            try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony, 11, 1498)
        }
    }

    @Test("A model that is unknown, revoked or not asked for is refused")
    func model() throws {
        var ceremony = try Ceremony()
        let message = try ceremony.authenticationMessage()
        ceremony.revoked = [ceremony.authenticator.aaid]
        try expectRefusal(message, in: ceremony, 12, 1493)
        ceremony.metadata = []
        try expectRefusal(message, in: ceremony, 12, 1480)
        ceremony = try Ceremony()
        ceremony.policy = Policy(accepted: [[MatchCriteria(aaids: [AAID(vendor: VendorID(number: 1), model: 1)])]])
        try expectRefusal(try ceremony.authenticationMessage(), in: ceremony, 12, 1492)
    }

    @Test("A KeyID that was not registered, or only after the request was made, is unknown")
    func unknownKey() throws {
        let ceremony = try Ceremony()
        let message = try ceremony.authenticationMessage()
        try expectRefusal(message, in: ceremony, 13, 1481, stored: [])
        let own = try ceremony.stored()
        let late = StoredCredential(
            registration: own.registration, account: own.account, id: own.id, key: own.key,
            use: .init(signCounter: 0, registeredAt: Moment(milliseconds: Ceremony.now.milliseconds + 1)))
        try expectRefusal(message, in: ceremony, 13, 1481, stored: [late])
    }

    @Test("A key of another user is refused, also when it signs perfectly")
    func foreignKey() throws {
        let ceremony = try Ceremony()
        let foreign = try ceremony.stored(account: AccountReference([2]))
        try expectRefusal(try ceremony.authenticationMessage(), in: ceremony, 13, 1401, stored: [foreign])
    }

    @Test("Without a user in the request the key tells who it is")
    func userless() throws {
        var ceremony = try Ceremony()
        ceremony.account = nil
        let other = try ceremony.stored(account: AccountReference([2]))
        let verified = try ceremony.authenticated(try ceremony.authenticationMessage(), stored: [other])
        #expect(verified.account == AccountReference([2]))
    }

    @Test("A KeyID of another model is refused")
    func otherModel() throws {
        var ceremony = try Ceremony()
        var other = ceremony.authenticator
        other = try SyntheticAuthenticator(aaid: AAID(vendor: VendorID(number: 0xFFFF), model: 0xFC02))
        other.keyID = ceremony.authenticator.keyID
        ceremony.metadata.append(other.metadata)
        try expectRefusal(
            try ceremony.authenticationMessage(), in: ceremony, 14, 1492, stored: [try ceremony.stored(other)])
    }

    @Test("A key that the request does not name is refused after it is known to be the user's")
    func unnamedKey() throws {
        var ceremony = try Ceremony()
        let otherKey = try #require(KeyID([UInt8](repeating: 1, count: 32)))
        ceremony.policy = Policy(accepted: [
            [MatchCriteria(aaids: [ceremony.authenticator.aaid], keyIDs: [otherKey])]
        ])
        try expectRefusal(try ceremony.authenticationMessage(), in: ceremony, 12, 1492)
        try expectRefusal(try ceremony.authenticationMessage(), in: ceremony, 13, 1481, stored: [])
    }

    @Test("A credential that was switched off is refused")
    func disabled() throws {
        let ceremony = try Ceremony()
        try expectRefusal(
            try ceremony.authenticationMessage(), in: ceremony, 14, 1493,
            stored: [try ceremony.stored(status: .disabled)])
    }

    @Test("An authenticator below the version of its metadata is flagged, or refused where the profile says so")
    func version() throws {
        var ceremony = try Ceremony()
        ceremony.metadata[0].authenticatorVersion = 2
        let message = try ceremony.authenticationMessage()
        #expect(try ceremony.authenticated(message).uses.allSatisfy(\.isIncreasedRisk))
        ceremony.profile.refusesOutdatedAuthenticators = true
        try expectRefusal(message, in: ceremony, 15, 1493)
    }

    @Test("Another algorithm than the one of the registration is refused")
    func algorithm() throws {
        let ceremony = try Ceremony()
        let fault = SyntheticFault(signedData: { $0.change(0x2E0E) { $0[3] = 1 } })
        try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony, 16, 1498)
    }

    @Test("A hash of something else than the parameters as received is refused")
    func finalChallengeHash() throws {
        let ceremony = try Ceremony()
        let fault = SyntheticFault(signedData: { $0.set(0x2E0A, to: Array(SHA256.hash(data: [1]))) })
        try expectRefusal(try ceremony.authenticationMessage(spoiling: fault), in: ceremony, 18, 1498)
    }

    @Test("A signature by another key, or over changed data, is refused")
    func signature() throws {
        let ceremony = try Ceremony()
        let changed = SyntheticFault(assertion: { $0.elements[0].change(0x2E0F) { $0[0] ^= 1 } })
        try expectRefusal(try ceremony.authenticationMessage(spoiling: changed), in: ceremony, 20, 1498)
        var impostor = try SyntheticAuthenticator()
        impostor.keyID = ceremony.authenticator.keyID
        try expectRefusal(try ceremony.authenticationMessage(with: [impostor]), in: ceremony, 20, 1498)
    }

    // MARK: - Counters

    @Test("A counter that grows passes; one that stays, falls or returns to 0 raises the alarm")
    func counters() throws {
        for (stored, presented, isGood) in [
            (0, 0, true), (0, 1, true), (7, 8, true), (7, 4_000_000_000, true), (7, 7, false), (7, 3, false),
            (7, 0, false), (4_294_967_295, 0, false), (4_294_967_295, 4_294_967_295, false),
        ] as [(UInt32, UInt32, Bool)] {
            var ceremony = try Ceremony()
            ceremony.authenticator.counters = Counters(signatures: presented, registrations: 0)
            let credential = try ceremony.stored(counter: stored)
            let message = try ceremony.authenticationMessage()
            if isGood {
                let verified = try ceremony.authenticated(message, stored: [credential])
                #expect(verified.uses.first?.previousSignCounter == stored)
            } else {
                let error = try expectRefusal(message, in: ceremony, 17, 1498, stored: [credential])
                #expect(error?.reason == .signCounter(suspectsClone: credential.registration))
            }
        }
    }

    @Test("A wrong counter on a forged assertion raises no alarm")
    func forgedCounter() throws {
        let ceremony = try Ceremony()
        let fault = SyntheticFault(signature: { $0[$0.count - 1] ^= 1 })
        let error = try expectRefusal(
            try ceremony.authenticationMessage(spoiling: fault), in: ceremony, 17, 1498,
            stored: [try ceremony.stored(counter: 7)])
        #expect(error?.reason == .signCounter(suspectsClone: nil))
    }

    // MARK: - Step

    @discardableResult
    private func expectRefusal(
        _ message: [UInt8], in ceremony: Ceremony, _ check: Int, _ status: UInt32, stored: [StoredCredential]? = nil
    ) throws -> RelyingPartyError? {
        let error = #expect(throws: RelyingPartyError.self) {
            _ = try ceremony.authenticated(message, stored: stored)
        }
        #expect(error?.verdict == Verdict(check: check, status: status))
        #expect(error?.consumesChallenge == (check >= 8))
        return error
    }
}
