import Crypto
import StrictJSON
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.4.6.5, steps 5 and 6: registration response, each assertion")
struct RegistrationAssertionTests {
    @Test(
        "A challenge that was used, has expired or is unknown is refused",
        arguments: [.consumed, .expired, .unknown] as [ChallengeState])
    func challengeState(_ state: ChallengeState) async throws {
        var ceremony = try Ceremony()
        ceremony.challengeState = state
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 8, 1491)
    }

    @Test("Another challenge than the one of the request is refused")
    func challenge() async throws {
        var ceremony = try Ceremony()
        let message = try ceremony.registrationMessage()
        ceremony.challenge = try #require(ServerChallenge([UInt8](repeating: 7, count: 32)))
        try await expectRefusal(message, in: ceremony, 8, 1491)
    }

    @Test("More assertions than any policy asks for are refused")
    func tooMany() async throws {
        let ceremony = try Ceremony()
        let many = [SyntheticAuthenticator](repeating: ceremony.authenticator, count: 17)
        try await expectRefusal(try ceremony.registrationMessage(with: many), in: ceremony, 9, 1498, isConsuming: false)
    }

    @Test("An assertion of a scheme that this server does not read is refused")
    func scheme() async throws {
        let ceremony = try Ceremony()
        let message = try ceremony.registrationMessage(
            in: .init(message: { message in
                guard case .array(let entries)? = message["assertions"], case .object(let entry)? = entries.first else {
                    return
                }
                let other = entry.replacing("assertionScheme", with: .string("OTHER"))
                message = message.replacing("assertions", with: .array([.object(other)]))
            }))
        try await expectRefusal(message, in: ceremony, 9, 1498)
    }

    @Test(
        "A mandatory field that is missing or empty is refused",
        arguments: [0x2E0B, 0x2E0E, 0x2E0A, 0x2E09, 0x2E0D, 0x2E0C] as [UInt16])
    func fields(tag: UInt16) async throws {
        let ceremony = try Ceremony()
        for fault in [
            SyntheticFault(signedData: { $0.remove(tag) }), SyntheticFault(signedData: { $0.set(tag, to: []) }),
            SyntheticFault(signedData: { $0.append(SyntheticTLV(tag, [0])) }),
        ] {
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 11, 1498)
        }
    }

    @Test("An unknown tag passes unless it is critical")
    func unknownTags() async throws {
        let ceremony = try Ceremony()
        let ignored = SyntheticFault(signedData: { $0.append(SyntheticTLV(0x0EFE, [1, 2])) })
        _ = try await ceremony.registered(try ceremony.registrationMessage(spoiling: ignored))
        let critical = SyntheticFault(signedData: { $0.append(SyntheticTLV(0x2EFE, [1, 2])) })
        try await expectRefusal(try ceremony.registrationMessage(spoiling: critical), in: ceremony, 11, 1498)
    }

    @Test("An unknown extension passes unless it must be understood, signed or not")
    func extensions() async throws {
        let ceremony = try Ceremony()
        func element(_ tag: UInt16) -> SyntheticTLV {
            SyntheticTLV(
                tag, elements: [SyntheticTLV(0x2E13, Array("unknown".utf8)), SyntheticTLV(0x2E14, [1])])
        }
        let signed = SyntheticFault(signedData: { $0.append(element(0x3E12)) })
        _ = try await ceremony.registered(try ceremony.registrationMessage(spoiling: signed))
        for fault in [
            SyntheticFault(signedData: { $0.append(element(0x3E11)) }),
            SyntheticFault(assertion: { $0.append(element(0x3E11)) }),
        ] {
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 10, 1498)
        }
    }

    @Test("A model without metadata is refused")
    func unknownModel() async throws {
        var ceremony = try Ceremony()
        ceremony.metadata = []
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 12, 1480)
    }

    @Test("A revoked model is refused")
    func revokedModel() async throws {
        var ceremony = try Ceremony()
        ceremony.revoked = [ceremony.authenticator.aaid]
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 13, 1493)
    }

    @Test("Another authentication mode than a verified user is refused", arguments: [0, 2, 3] as [UInt8])
    func mode(_ mode: UInt8) async throws {
        let ceremony = try Ceremony()
        let fault = SyntheticFault(signedData: { $0.change(0x2E0E) { $0[2] = mode } })
        try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 15, 1498)
    }

    @Test("A hash of something else than the parameters as received is refused")
    func finalChallengeHash() async throws {
        let ceremony = try Ceremony()
        for hash in [Array(SHA256.hash(data: [1])), Array(SHA512.hash(data: [1])), [0]] {
            let fault = SyntheticFault(signedData: { $0.set(0x2E0A, to: hash) })
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 16, 1498)
        }
    }

    @Test("An authenticator below the version of its metadata is flagged, or refused where the profile says so")
    func version() async throws {
        var ceremony = try Ceremony()
        ceremony.metadata[0].authenticatorVersion = 2
        let message = try ceremony.registrationMessage()
        #expect(try await ceremony.registered(message).credentials.allSatisfy(\.isIncreasedRisk))
        ceremony.profile.refusesOutdatedAuthenticators = true
        try await expectRefusal(message, in: ceremony, 17, 1493)
    }

    @Test("A registration counter beyond the limit is refused, and any passes without a limit")
    func registrationCounter() async throws {
        var ceremony = try Ceremony()
        ceremony.authenticator.counters = Counters(signatures: 0, registrations: 1000)
        let message = try ceremony.registrationMessage()
        _ = try await ceremony.registered(message)
        ceremony.profile.registrationCounterLimit = 999
        try await expectRefusal(message, in: ceremony, 23, 1492)
    }

    @Test("A KeyID of 32 to 2048 bytes passes, of exactly 32 in the conformance profile")
    func keyIDLength() async throws {
        for (count, isGood, isStrictlyGood) in [
            (31, false, false), (32, true, true), (33, true, false), (2048, true, false),
        ] {
            var ceremony = try Ceremony()
            ceremony.authenticator.keyID = [UInt8](repeating: 9, count: count)
            let message = try ceremony.registrationMessage()
            for (profile, isGood) in [(VerificationProfile.product, isGood), (.conformance, isStrictlyGood)] {
                ceremony.profile = profile
                if isGood {
                    _ = try await ceremony.registered(message)
                } else {
                    try await expectRefusal(message, in: ceremony, 24, 1498)
                }
            }
        }
    }

    @Test("A key that is registered already, for whomever, is refused; also twice in one message")
    func registeredAlready() async throws {
        var ceremony = try Ceremony()
        let twice = try ceremony.registrationMessage(with: [ceremony.authenticator, ceremony.authenticator])
        let verified = try await ceremony.registered(twice)
        #expect(verified.credentials.count == 1)
        #expect(verified.skipped.map(\.verdict) == [Verdict(check: 24, status: 1498)])
        ceremony.others = [try ceremony.stored(account: AccountReference([2]))]
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 24, 1498)
    }

    // MARK: - Step

    private func expectRefusal(
        _ message: [UInt8], in ceremony: Ceremony, _ check: Int, _ status: UInt32, isConsuming: Bool = true
    ) async throws {
        let error = await #expect(throws: RelyingPartyError.self) { _ = try await ceremony.registered(message) }
        #expect(error?.verdict == Verdict(check: check, status: status))
        #expect(error?.consumesChallenge == isConsuming)
    }
}
