import Crypto
import DeviceAttestation
import Foundation
import Octets
import StrictJSON
import SwiftASN1
import TestSupport
import Testing
import WebAuthn
import X509

@Suite("Lists of models are verified before anything of them is used")
struct PasskeyMetadataTests {
    private static let time = PasskeyCeremonies.time
    private static let model = "4d4d4d4d-4d4d-4d4d-4d4d-4d4d4d4d4d4d"

    private let signer: AttestationAuthority
    private let maker: SoftwareMaker
    private let key = P256.Signing.PrivateKey()

    init() throws {
        signer = try AttestationAuthority()
        maker = try SoftwareMaker()
    }

    // MARK: - Making lists

    private func entry(_ model: String? = model, _ words: [String] = ["FIDO_CERTIFIED_L1"]) -> JSONValue {
        .object([
            "aaguid": model.map { .string($0) },
            "metadataStatement": .object([
                "description": .string("Model"),
                "attestationRootCertificates": .array([.string(Base64.encode(maker.authority.root))]),
            ]),
            "statusReports": .array(words.map { .object(["status": .string($0)]) }),
        ])
    }

    private func list(_ entries: [JSONValue]) -> JSONObject {
        ["no": .integer(7), "nextUpdate": .string("2026-12-31"), "entries": .array(entries)]
    }

    private func text(
        _ payload: JSONObject, name: String = "mds.fidoalliance.org", algorithm: String = "ES256",
        besides: [JSONValue] = [], signature: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> [UInt8] {
        let names = try Certificate.Extension(SubjectAlternativeNames([.dnsName(name)]), critical: false)
        let chain = try signer.certificates(for: .init(key.publicKey), .init(extensions: [names]))
        let header: JSONObject = [
            "alg": .string(algorithm), "x5c": .array(chain.map { .string(Base64.encode($0)) } + besides),
        ]
        let input = [header, payload].map { Base64URL.encode(JSONWriter.write(.object($0))) }.joined(separator: ".")
        let signed = signature(Array(try key.signature(for: Array(input.utf8)).rawRepresentation))
        return Array("\(input).\(Base64URL.encode(signed))".utf8)
    }

    private func read(_ text: [UInt8], at time: Date = time) async throws -> PasskeyMetadata {
        try await PasskeyMetadata(text, endingAt: try TrustRoots([signer.root]), at: time)
    }

    private func refuse(
        _ refusal: MetadataRefusal, _ text: [UInt8], at time: Date = time, _ location: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: refusal, sourceLocation: location) { try await read(text, at: time) }
    }

    // MARK: - Tests

    @Test("A model of the list is trusted for its keys")
    func models() async throws {
        let list = try await read(try text(list([entry(), entry(nil)])))
        #expect(list.number == 7 && list.nextUpdate == "2026-12-31" && list.models.count == 1)
        var ceremonies = try PasskeyCeremonies()
        ceremonies.settings.attestation.models = list.models
        let made = try SoftwareAuthenticator().registration(ceremonies.creation, .packed, by: maker)
        #expect(try await ceremonies.registration(made.text).attestation == .certified)
    }

    @Test(
        "A status that breaks trust revokes the model",
        arguments: [
            ("REVOKED", true), ("USER_VERIFICATION_BYPASS", true), ("ATTESTATION_KEY_COMPROMISE", true),
            ("USER_KEY_REMOTE_COMPROMISE", true), ("USER_KEY_PHYSICAL_COMPROMISE", true), ("NOT_FIDO_CERTIFIED", false),
            ("UPDATE_AVAILABLE", false), ("FIDO_CERTIFIED_L3", false),
        ])
    func status(word: String, isRevoked: Bool) async throws {
        let list = try await read(try text(list([entry(Self.model, ["FIDO_CERTIFIED", word])])))
        #expect(list.models.values.first?.isRevoked == isRevoked)
    }

    @Test("A list that its signer has not signed is refused")
    func signature() async throws {
        let sound = try text(list([entry()]))
        await refuse(.signature, try text(list([]), signature: { [$0[0] ^ 1] + $0.dropFirst() }))
        await refuse(.signature, try text(list([]), signature: { $0 + [0] }))
        await refuse(.signature, try text(list([]), algorithm: "RS256"))
        await refuse(.signature, try text(list([]), algorithm: "none"))
        await refuse(.foreignSigner, try text(list([]), name: "mds.example.org"))
        await refuse(.path(.noValidPath), sound, at: Date(timeIntervalSince1970: 0))
        await #expect(throws: MetadataRefusal.path(.noValidPath)) {
            try await PasskeyMetadata(sound, endingAt: try TrustRoots([maker.authority.root]), at: Self.time)
        }
    }

    @Test("A list of another structure is refused")
    func structure() async throws {
        let sound = try text(list([entry()]))
        for wrong in ["", ".", "..", "e30.e30.e30", String(decoding: sound, as: UTF8.self) + ".e30"] {
            await refuse(.malformed, Array(wrong.utf8))
        }
        await refuse(.malformed, try text(list([]), besides: [.null]))
        for spelling in [Self.model.uppercased(), Self.model.filter { $0 != "-" }] {
            await refuse(.malformed, try text(list([entry(spelling)])))
        }
        let lists: [JSONObject] = [
            [:], ["no": .integer(1), "nextUpdate": .string("")], list([.null]), list([entry(), entry()]),
            list([entry("4D4D")]), list([.object(["aaguid": .string(Self.model)])]),
        ]
        for wrong in lists { await refuse(.malformed, try text(wrong)) }
    }
}
