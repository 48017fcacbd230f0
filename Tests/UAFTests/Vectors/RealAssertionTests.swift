import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "Authenticator Commands 1.1, 5.2: assertions of other vendors",
    .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct RealAssertionTests {
    /// Assertions that are TLV but break a rule of their structure, with the error that a strict reader ends in.
    static let refused: [String: @Sendable (TLVError) -> Bool] = [
        "ebay-client-auth": { if case .invalidValue(.counters, _) = $0 { true } else { false } },
        "unipi-reg": { if case .unexpectedTag(TLVTag(rawValue: 0x3FFC), _) = $0 { true } else { false } },
        "ebay-legacy-auth": { if case .unexpectedTag(.signedData, _) = $0 { true } else { false } },
        "fidotool-fc03-reg-truncated": { if case .truncated(0) = $0 { true } else { false } },
    ]

    @Test("Every assertion is read to the facts in the manifest, or refused for its own reason")
    func structure() throws {
        let entries = try realEntries()
        for entry in entries {
            let id = try entry.string("id")
            let vector = try VectorFile.object(entry.string("file"))
            vector.requireOnly(
                "id", "kind", "assertionScheme", "assertion", "fcParams", "header", "registeredPublicKey")
            let octets = try Base64URL.decode(vector.string("assertion"), strictness: .lenient)
            if let isExpected = Self.refused[id] {
                let error = #expect(throws: TLVError.self, "\(id)") { try read(vector, octets) }
                #expect(error.map(isExpected) == true, "\(id)")
            } else {
                let facts = try read(vector, octets)
                try check(facts, entry.object("verified"), id)
            }
        }
        #expect(Set(Self.refused.keys).isSubset(of: Set(try entries.map { try $0.string("id") })))
    }

    @Test("The final challenge hash covers the fcParams text as received")
    func finalChallengeHash() throws {
        for entry in try realEntries() {
            let id = try entry.string("id")
            guard Self.refused[id] == nil || id == "unipi-reg" else { continue }
            let expect = try entry.object("expect")
            let vector = try VectorFile.object(entry.string("file"))
            guard let expected = expect["fcHash"], expected != .null else { continue }
            let octets = try Base64URL.decode(vector.string("assertion"), strictness: .lenient)
            let hash = FinalChallengeParameters.hash(ofEncoded: try vector.string("fcParams"))
            let isContained = octets.indices.contains { octets[$0...].starts(with: [0x0A, 0x2E, 32, 0] + hash) }
            #expect(.bool(isContained) == expected, "\(id)")
        }
    }

    @Test("An assertion is written back to the bytes it was read from")
    func writing() throws {
        for entry in try realEntries() {
            let id = try entry.string("id")
            guard Self.refused[id] == nil else { continue }
            let vector = try VectorFile.object(entry.string("file"))
            let octets = try Base64URL.decode(vector.string("assertion"), strictness: .lenient)
            let isRegistration = try vector.string("kind") == "registration"
            let written =
                try isRegistration
                ? RegistrationAssertion(octets: octets).encoded() : AuthenticationAssertion(octets: octets).encoded()
            #expect(written == octets, "\(id)")
        }
    }

    private func realEntries() throws -> [JSONObject] {
        let entries = try VectorFile.object("manifest.json").objects("vectors").filter {
            try $0.string("origin") == "real"
        }
        try #require(!entries.isEmpty)
        return entries
    }

    /// What the manifest states about assertions of both kinds.
    private struct Facts {
        var aaid: AAID
        var info: AssertionInfo
        var keyIDLength: Int
        var signCounter: UInt32
        var signatureLength: Int
        var others: [String: Int] = [:]
    }

    private func read(_ vector: JSONObject, _ octets: [UInt8]) throws -> Facts {
        switch try vector.string("kind") {
        case "registration":
            let assertion = try RegistrationAssertion(octets: octets)
            let data = assertion.keyRegistrationData
            return Facts(
                aaid: data.credential.aaid, info: data.info, keyIDLength: data.credential.keyID.octets.count,
                signCounter: data.counters.signatures, signatureLength: assertion.attestation.signature.count,
                others: ["regCounter": Int(data.counters.registrations)])
        case "authentication":
            let assertion = try AuthenticationAssertion(octets: octets)
            let data = assertion.signedData
            return Facts(
                aaid: data.credential.aaid, info: data.info, keyIDLength: data.credential.keyID.octets.count,
                signCounter: data.signCounter, signatureLength: assertion.signature.count,
                others: [
                    "nonceLength": data.nonce.count,
                    "transactionContentHashLength": data.hashes.transactionContent.count,
                ])
        case let other: throw UnknownExpectation(text: other)
        }
    }

    private func check(_ facts: Facts, _ verified: JSONObject, _ id: String) throws {
        #expect(try facts.aaid == AAID(verified.string("aaid")), "\(id)")
        #expect(try Int(facts.info.signatureAlgorithm.rawValue) == verified.integer("signatureAlgorithm"), "\(id)")
        #expect(try Int(facts.info.authenticatorVersion) == verified.integer("authenticatorVersion"), "\(id)")
        #expect(try Int(facts.info.mode.rawValue) == verified.integer("authenticationMode"), "\(id)")
        #expect(try facts.keyIDLength == verified.integer("keyIDLength"), "\(id)")
        #expect(try Int(facts.signCounter) == verified.integer("signCounter"), "\(id)")
        #expect(try facts.signatureLength == verified.integer("signatureLength"), "\(id)")
        for (name, value) in facts.others { #expect(try value == verified.integer(name), "\(id) \(name)") }
    }
}
