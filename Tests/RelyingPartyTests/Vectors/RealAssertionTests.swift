import Crypto
import CryptoExtras
import Octets
import StrictJSON
import SwiftASN1
import TestSupport
import Testing
import UAF
import X509

@testable import RelyingParty

/// Published assertions of other implementations: structure, signature and hash are as `manifest.json` says.
@Suite("UAF vectors: assertions of other implementations", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct RealAssertionTests {
    private struct Entry {
        let file: JSONObject
        let expect: JSONObject
        let kind: String
        let id: String
    }

    private static let lenient: DecodingRules = {
        var rules = DecodingRules()
        rules.toleratesSloppyBase64URL = true
        return rules
    }()

    /// Assertions with private critical tags, or KeyIDs and counters of other sizes, that this reader has to refuse.
    private static let refusedStructures: Set<String> = ["unipi-reg", "ebay-client-auth"]

    @Test("Every real assertion")
    func realAssertions() throws {
        let entries = try entries()
        try #require(!entries.isEmpty)
        for entry in entries {
            if entry.kind == "registration" { try registration(entry) } else { try authentication(entry) }
            try finalChallengeHash(entry)
        }
    }

    // MARK: - Registration

    private func registration(_ entry: Entry) throws {
        guard let assertion = parsed(entry, { try RegistrationAssertion(octets: $0) }) else { return }
        let data = assertion.keyRegistrationData
        let key = try newKey(data)
        guard let isGood = try expected("signature", of: entry) else { return }
        let attesting =
            switch assertion.attestation {
            case .full(_, let certificates): try leafKey(certificates, algorithm: data.info.signatureAlgorithm)
            default: key
            }
        expectSignature(isGood, entry.id) { () throws(SignatureRefusal) in
            try attesting.requireSignature(assertion.attestation.signature[...], over: data.octets[...])
        }
    }

    private func newKey(_ data: KeyRegistrationData) throws -> VerificationKey {
        try VerificationKey(
            data.publicKey.octets, format: data.publicKey.format, algorithm: data.info.signatureAlgorithm,
            tolerance: .acceptsSubjectPublicKeyInfo)
    }

    /// The key of the first certificate, without any path: the authorities were never published.
    private func leafKey(_ certificates: [[UInt8]], algorithm: AuthenticationAlgorithm) throws -> VerificationKey {
        let info = try CertificateOutline.subjectPublicKeyInfo(of: certificates[0])
        let isRSA = try SignatureScheme(algorithm).family.isRSA
        return try VerificationKey(
            info, format: isRSA ? .rsa2048DER : .eccX962DER, algorithm: algorithm,
            tolerance: .acceptsSubjectPublicKeyInfo)
    }

    // MARK: - Authentication

    private func authentication(_ entry: Entry) throws {
        guard let assertion = parsed(entry, { try AuthenticationAssertion(octets: $0) }) else { return }
        guard let isGood = try expected("signature", of: entry) else { return }
        let stored = try entry.file.object("registeredPublicKey")
        let format: PublicKeyFormat = try stored.text("encoding") == "raw65" ? .eccX962Raw : .eccX962DER
        let key = try VerificationKey(
            try Base64URL.decode(try stored.text("value")), format: format,
            algorithm: assertion.signedData.info.signatureAlgorithm)
        expectSignature(isGood, entry.id) { () throws(SignatureRefusal) in
            try key.requireSignature(assertion.signature[...], over: assertion.signedData.octets[...])
        }
    }

    // MARK: - Steps

    private func finalChallengeHash(_ entry: Entry) throws {
        guard let isEqual = try expected("fcHash", of: entry), let text = try? entry.file.text("fcParams") else {
            return
        }
        let octets = try Base64URL.decode(try entry.file.text("assertion"), strictness: .lenient)
        let hash =
            if entry.kind == "registration" {
                try? RegistrationAssertion(octets: octets).keyRegistrationData.finalChallengeHash
            } else {
                try? AuthenticationAssertion(octets: octets).signedData.hashes.finalChallenge
            }
        guard let hash else { return }
        let verdict = Result { () throws(RefusalReason) in
            try FinalChallengeHashCheck.require(hash[...], equals: FinalChallengeHashCheck.hash(of: text))
        }
        #expect(((try? verdict.get()) != nil) == isEqual, "\(entry.id)")
    }

    /// The assertion, or nil when it has to be refused and is.
    private func parsed<Assertion>(_ entry: Entry, _ parse: ([UInt8]) throws -> Assertion) -> Assertion? {
        do {
            let octets = try Base64URL.decode(try entry.file.text("assertion"), strictness: .lenient)
            let assertion = try parse(octets)
            #expect(try entry.expect.text("tlv") == "ok", "\(entry.id)")
            #expect(!Self.refusedStructures.contains(entry.id), "\(entry.id)")
            return assertion
        } catch {
            let isBroken = (try? entry.expect.text("tlv")) != "ok"
            #expect(isBroken || Self.refusedStructures.contains(entry.id), "\(entry.id): \(error)")
            return nil
        }
    }

    private func expectSignature(_ isGood: Bool, _ id: String, _ verify: () throws(SignatureRefusal) -> Void) {
        do throws(SignatureRefusal) {
            try verify()
            #expect(isGood, "\(id)")
        } catch {
            #expect(!isGood, "\(id): \(error)")
        }
    }

    private func expected(_ name: String, of entry: Entry) throws -> Bool? {
        guard let value = entry.expect[name], value != .null else { return nil }
        return try value.asBool()
    }

    private func entries() throws -> [Entry] {
        let bytes = try VectorFolder.bytes(of: "uaf/manifest.json")
        let manifest = try JSONParser.parse(bytes, limits: .document).asObject()
        let list = manifest.members.first { if case .array = $0.value { true } else { false } }
        let entries = try (list?.value ?? .null).asArray { value throws(JSONTypeError) in try value.asObject() }
        return try entries.filter { try $0.text("origin") == "real" }.map { entry in
            let file = try VectorFolder.bytes(of: "uaf/" + (try entry.text("file")))
            return Entry(
                file: try JSONParser.parse(file, limits: .document).asObject(), expect: try entry.object("expect"),
                kind: try entry.text("kind"), id: try entry.text("id"))
        }
    }
}

/// Finds the public key in a certificate without judging anything else of it.
private enum CertificateOutline {
    static func subjectPublicKeyInfo(of certificate: [UInt8]) throws -> [UInt8] {
        let root = try SwiftASN1.DER.parse(certificate)
        guard case .constructed(let outer) = root.content, let tbs = outer.first(where: { _ in true }),
            case .constructed(let fields) = tbs.content
        else { throw DERError() }
        // version, serial number, algorithm, issuer, validity, subject, then the key.
        let sequences = fields.filter { $0.identifier == .sequence }
        let info = Array(sequences)[4]
        return Array(info.encodedBytes)
    }
}
