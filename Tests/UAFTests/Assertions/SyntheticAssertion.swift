import TestSupport
import UAF

/// Random but well-formed assertions.
enum SyntheticAssertion {
    static func credential(_ random: inout SeededGenerator) throws -> CredentialID {
        CredentialID(
            aaid: AAID(
                vendor: VendorID(number: UInt16.random(in: 0...UInt16.max, using: &random)),
                model: UInt16.random(in: 0...UInt16.max, using: &random)),
            keyID: try KeyID(random.octets(32...64)).unwrapped())
    }

    static func info(_ random: inout SeededGenerator) -> AssertionInfo {
        AssertionInfo(
            authenticatorVersion: UInt16.random(in: 0...UInt16.max, using: &random),
            mode: AuthenticationMode(rawValue: UInt8.random(in: 0...3, using: &random)),
            signatureAlgorithm: AuthenticationAlgorithm(rawValue: UInt16.random(in: 0...20, using: &random)))
    }

    static func extensions(_ random: inout SeededGenerator) throws -> [AssertionExtension] {
        try (0..<Int.random(in: 0...2, using: &random)).map { index in
            AssertionExtension(
                id: try ExtensionID("com.example.\(index)").unwrapped(), data: random.octets(0...40),
                failIfUnknown: Bool.random(using: &random))
        }
    }

    static func registration(_ random: inout SeededGenerator) throws -> RegistrationAssertion {
        let data = try KeyRegistrationData(
            credential: credential(&random), info: info(&random), finalChallengeHash: random.octets(32),
            counters: Counters(
                signatures: UInt32.random(in: 0...UInt32.max, using: &random),
                registrations: UInt32.random(in: 0...UInt32.max, using: &random)),
            publicKey: EncodedPublicKey(format: .eccX962DER, octets: random.octets(1...300)),
            extensions: extensions(&random))
        let attestations: [Attestation] = [
            .surrogate(signature: random.octets(1...72)), .ecdaa(signature: random.octets(1...72)),
            .full(signature: random.octets(1...72), certificates: [random.octets(1...300), random.octets(1...300)]),
        ]
        return RegistrationAssertion(
            keyRegistrationData: data, attestation: try attestations.randomElement(using: &random).unwrapped(),
            unsignedExtensions: try extensions(&random))
    }

    static func authentication(_ random: inout SeededGenerator) throws -> AuthenticationAssertion {
        let data = try SignedData(
            credential: credential(&random), info: info(&random), nonce: random.octets(8...64),
            hashes: BoundHashes(
                finalChallenge: random.octets(32),
                transactionContent: Bool.random(using: &random) ? random.octets(32) : []),
            signCounter: UInt32.random(in: 0...UInt32.max, using: &random), extensions: extensions(&random))
        return AuthenticationAssertion(
            signedData: data, signature: random.octets(1...260), unsignedExtensions: try extensions(&random))
    }
}

/// A value that a test needs is not there.
struct MissingValue: Error {}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw MissingValue() }
        return self
    }
}
