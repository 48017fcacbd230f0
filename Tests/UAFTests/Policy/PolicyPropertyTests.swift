import TestSupport
import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.1.12 and 3.4.6.1: policy against an obvious second implementation")
struct PolicyPropertyTests {
    @Test("Both evaluations agree on random policies and authenticators")
    func agreement() throws {
        var random = SeededGenerator(seed: 11)
        var satisfied = 0
        for _ in 0..<1_500 {
            let candidates = try (0..<Int.random(in: 0...4, using: &random)).map { _ in try candidate(&random) }
            let policy = try policy(&random)
            let purpose: PolicyEvaluation.Purpose =
                Bool.random(using: &random) ? .registration : .authentication(showing: [])
            let found = try PolicyEvaluation(candidates: candidates, purpose: purpose).choices(for: policy)
            let expected = SlowPolicyEvaluation(candidates: candidates, isRegistration: purpose == .registration)
                .choices(policy)
            #expect(found.map { $0.map(\.candidate) } == expected)
            satisfied += expected.isEmpty ? 0 : 1
        }
        #expect(satisfied > 100)
    }

    private func candidate(_ random: inout SeededGenerator) throws -> AuthenticatorCandidate {
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: [
                try [.secp256r1ECDSASHA256DER, .rsaPKCS1SHA256DER].randomElement(using: &random).unwrapped()
            ],
            userVerification: UserVerification(rawValue: UInt32.random(in: 1...7, using: &random)),
            keyProtection: KeyProtection(rawValue: UInt16.random(in: 1...3, using: &random)),
            matcherProtection: MatcherProtection(rawValue: UInt16.random(in: 1...2, using: &random)))
        if Int.random(in: 0...3, using: &random) == 0 { characteristics.userVerification.insert(.all) }
        characteristics.attestationTypes = try [[.basicSurrogate], [.basicFull]].randomElement(using: &random)
            .unwrapped()
        var candidate = AuthenticatorCandidate(
            aaid: AAID(vendor: VendorID(number: 0xF1D0), model: UInt16.random(in: 1...3, using: &random)),
            characteristics: characteristics, keyIDs: try keyIDs(&random) ?? [])
        candidate.canRegister = Int.random(in: 0...4, using: &random) > 0
        return candidate
    }

    private func keyIDs(_ random: inout SeededGenerator) throws -> [KeyID]? {
        guard Bool.random(using: &random) else { return nil }
        return [try KeyID([UInt8](repeating: UInt8.random(in: 0...2, using: &random), count: 32)).unwrapped()]
    }

    private func policy(_ random: inout SeededGenerator) throws -> Policy {
        let accepted = try (0..<Int.random(in: 1...2, using: &random)).map { _ in
            try (0..<Int.random(in: 1...2, using: &random)).map { _ in try criteria(&random) }
        }
        let disallowed = Int.random(in: 0...2, using: &random) == 0 ? [try criteria(&random)] : []
        return Policy(accepted: accepted, disallowed: disallowed)
    }

    private func criteria(_ random: inout SeededGenerator) throws -> MatchCriteria {
        if Bool.random(using: &random) {
            let aaid = AAID(vendor: VendorID(number: 0xF1D0), model: UInt16.random(in: 1...3, using: &random))
            return MatchCriteria(aaids: [aaid], keyIDs: try keyIDs(&random))
        }
        var criteria = MatchCriteria(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], assertionSchemes: [.uafV1TLV])
        if Bool.random(using: &random) {
            criteria.userVerification = UserVerification(rawValue: UInt32.random(in: 1...7, using: &random))
            if Int.random(in: 0...3, using: &random) == 0 { criteria.userVerification?.insert(.all) }
        }
        if Bool.random(using: &random) {
            criteria.keyProtection = KeyProtection(rawValue: UInt16.random(in: 1...3, using: &random))
        }
        if Bool.random(using: &random) { criteria.attestationTypes = [.basicSurrogate] }
        criteria.keyIDs = try keyIDs(&random)
        return criteria
    }
}
