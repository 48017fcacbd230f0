import Crypto
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.4.6.5, step 6: registration response, policy, key and attestation")
struct RegistrationKeyTests {
    // MARK: - Policy

    @Test("The model must match an accepted set of the request as it was sent")
    func accepted() async throws {
        var ceremony = try Ceremony()
        let other = AAID(vendor: VendorID(number: 0xFFFF), model: 1)
        ceremony.policy = Policy(accepted: [[MatchCriteria(aaids: [other])]])
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 14, 1492)
        ceremony.policy = Policy(accepted: [
            [MatchCriteria(aaids: [other])],
            [MatchCriteria(authenticationAlgorithms: [.secp256r1ECDSASHA256DER], assertionSchemes: [.uafV1TLV])],
        ])
        _ = try await ceremony.registered(try ceremony.registrationMessage())
    }

    @Test("A model that is disallowed is refused; a disallowed key is not the model")
    func disallowed() async throws {
        var ceremony = try Ceremony()
        let criteria = MatchCriteria(aaids: [ceremony.authenticator.aaid])
        ceremony.policy = Policy(accepted: [[criteria]], disallowed: [criteria])
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 14, 1492)
        let otherKey = try #require(KeyID([UInt8](repeating: 1, count: 32)))
        ceremony.policy = Policy(
            accepted: [[criteria]], disallowed: [MatchCriteria(aaids: criteria.aaids ?? [], keyIDs: [otherKey])])
        _ = try await ceremony.registered(try ceremony.registrationMessage())
    }

    @Test("A set of two needs two authenticators; one alone does not fill it")
    func sets() async throws {
        var ceremony = try Ceremony()
        let second = try SyntheticAuthenticator(aaid: AAID(vendor: VendorID(number: 0xFFFF), model: 0xFC02))
        ceremony.metadata.append(second.metadata)
        let first = MatchCriteria(aaids: [ceremony.authenticator.aaid])
        ceremony.policy = Policy(accepted: [[first, MatchCriteria(aaids: [second.aaid])]])
        let both = try ceremony.registrationMessage(with: [second, ceremony.authenticator])
        #expect(try await ceremony.registered(both).credentials.count == 2)
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 14, 1492)
        ceremony.policy = Policy(accepted: [[first, first]])
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 14, 1492)
    }

    // MARK: - Key and algorithm

    @Test(
        "Every algorithm is verified with every key format of its family",
        arguments: [
            (1, 0x100), (1, 0x101), (2, 0x100), (2, 0x101), (3, 0x102), (3, 0x103), (4, 0x102), (4, 0x103), (5, 0x100),
            (5, 0x101), (6, 0x100), (6, 0x101), (8, 0x102), (8, 0x103), (9, 0x102), (9, 0x103),
        ] as [(UInt16, UInt16)])
    func matrix(algorithm: UInt16, format: UInt16) async throws {
        let authenticator = try SyntheticAuthenticator(
            algorithm: AuthenticationAlgorithm(rawValue: algorithm), format: PublicKeyFormat(rawValue: format))
        let ceremony = try Ceremony(authenticator)
        let verified = try await ceremony.registered(try ceremony.registrationMessage())
        #expect(verified.credentials.first?.key.algorithm.rawValue == algorithm)
        _ = try ceremony.authenticated(try ceremony.authenticationMessage())
        let flipped = SyntheticFault(signature: { $0[$0.count - 1] ^= 1 })
        try await expectRefusal(try ceremony.registrationMessage(spoiling: flipped), in: ceremony, 22, 1496)
        let error = #expect(throws: RelyingPartyError.self) {
            _ = try ceremony.authenticated(try ceremony.authenticationMessage(spoiling: flipped))
        }
        #expect(error?.verdict == Verdict(check: 20, status: 1498))
    }

    @Test("A key that is not what its declared format says, or lies beside the curve, is refused")
    func key() async throws {
        let ceremony = try Ceremony()
        let point = SyntheticFault(signedData: { $0.change(0x2E0C) { $0 = Array($0.suffix(65)) } })
        let beside = SyntheticFault(signedData: { $0.change(0x2E0C) { $0[$0.count - 1] ^= 1 } })
        let unknown = SyntheticFault(signedData: { $0.change(0x2E0E) { $0[5] = 0x04 } })
        for fault in [point, beside, unknown] {
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 18, 1494)
        }
    }

    @Test("A signature algorithm that is not the model's is refused, an unsupported one by its own status")
    func algorithm() async throws {
        let ceremony = try Ceremony()
        for (number, status) in [(1, 1498), (9, 1498), (7, 1495), (0x12, 1495)] as [(UInt8, UInt32)] {
            let fault = SyntheticFault(signedData: { $0.change(0x2E0E) { $0[3] = number } })
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 19, status)
        }
    }

    @Test("An algorithm that metadata allows beside the stated one is accepted")
    func additionalAlgorithm() async throws {
        var ceremony = try Ceremony()
        ceremony.metadata[0].signing = SigningProfile(algorithm: .rsaPKCS1SHA256DER, publicKeyFormat: .eccX962Raw)
        try await expectRefusal(try ceremony.registrationMessage(), in: ceremony, 18, 1494)
        ceremony.metadata[0].additionalSigningProfiles = [
            SigningProfile(algorithm: .secp256r1ECDSASHA256DER, publicKeyFormat: .eccX962DER)
        ]
        let verified = try await ceremony.registered(try ceremony.registrationMessage())
        #expect(verified.credentials.first?.key.algorithm == .secp256r1ECDSASHA256DER)
    }

    // MARK: - Attestation

    @Test("No attestation, or two of them, are refused")
    func attestationCount() async throws {
        let ceremony = try Ceremony()
        let none = SyntheticFault(assertion: { $0.remove(0x3E08) })
        let two = SyntheticFault(assertion: { $0.elements.append($0.elements[1]) })
        for fault in [none, two] {
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 20, 1498)
        }
    }

    @Test("A kind of attestation that metadata, request or server do not take is refused")
    func attestationType() async throws {
        var ceremony = try Ceremony()
        let ecdaa = SyntheticFault(assertion: { $0.elements[1].tag = 0x3E09 })
        try await expectRefusal(try ceremony.registrationMessage(spoiling: ecdaa), in: ceremony, 20, 1496)
        let message = try ceremony.registrationMessage()
        ceremony.metadata[0].attestationTypes = [.basicFull]
        try await expectRefusal(message, in: ceremony, 20, 1496)
        ceremony.metadata[0].attestationTypes = [.basicSurrogate, .basicFull]
        _ = try await ceremony.registered(message)
        var criteria = MatchCriteria(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], assertionSchemes: [.uafV1TLV])
        criteria.attestationTypes = [.basicFull, .basicSurrogate]
        ceremony.policy = Policy(accepted: [[criteria]])
        try await expectRefusal(message, in: ceremony, 20, 1496)
    }

    @Test("A surrogate attestation by another key, or over other bytes, is refused")
    func surrogate() async throws {
        let ceremony = try Ceremony()
        let other = try SyntheticKey(for: .secp256r1ECDSASHA256DER)
        let foreign = SyntheticFault(signature: { signature in
            signature = (try? other.sign([1], algorithm: .secp256r1ECDSASHA256DER)) ?? []
        })
        let changed = SyntheticFault(assertion: { $0.elements[0].change(0x2E0D) { $0[0] ^= 1 } })
        for fault in [foreign, changed] {
            try await expectRefusal(try ceremony.registrationMessage(spoiling: fault), in: ceremony, 22, 1496)
        }
    }

    // MARK: - Step

    private func expectRefusal(
        _ message: [UInt8], in ceremony: Ceremony, _ check: Int, _ status: UInt32
    ) async throws {
        let error = await #expect(throws: RelyingPartyError.self) { _ = try await ceremony.registered(message) }
        #expect(error?.verdict == Verdict(check: check, status: status))
        #expect(error?.consumesChallenge == true)
    }
}
