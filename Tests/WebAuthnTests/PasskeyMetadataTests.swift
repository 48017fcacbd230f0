import DeviceAttestation
import Foundation
import StrictJSON
import TestSupport
import Testing
import WebAuthn

@Suite("Lists of models are verified before anything of them is used")
struct PasskeyMetadataTests {
    private static let time = PasskeyCeremonies.time
    private static let model = PasskeyListSigner.model

    private let signer: PasskeyListSigner
    private let maker: SoftwareMaker

    init() throws {
        signer = try PasskeyListSigner()
        maker = try SoftwareMaker()
    }

    private func entry(_ model: String? = model, _ words: [String] = ["FIDO_CERTIFIED_L1"]) -> JSONValue {
        PasskeyListSigner.entry(model, root: maker.authority.root, words)
    }

    private func list(_ entries: [JSONValue]) -> JSONObject {
        PasskeyListSigner.list(entries, nextUpdate: "2026-12-31")
    }

    private func read(_ text: [UInt8], at time: Date = time) async throws -> PasskeyMetadata {
        try await PasskeyMetadata(text, endingAt: try TrustRoots([signer.authority.root]), at: time)
    }

    private func refuse(
        _ refusal: MetadataRefusal, _ text: [UInt8], at time: Date = time, _ location: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: refusal, sourceLocation: location) { try await read(text, at: time) }
    }

    // MARK: - Tests

    @Test("A model of the list is trusted for its keys")
    func models() async throws {
        let list = try await read(try signer.text(list([entry(), entry(nil)])))
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
        let list = try await read(try signer.text(list([entry(Self.model, ["FIDO_CERTIFIED", word])])))
        #expect(list.models.values.first?.isRevoked == isRevoked)
    }

    @Test("A list that its signer has not signed is refused")
    func signature() async throws {
        let sound = try signer.text(list([entry()]))
        await refuse(.signature, try signer.text(list([]), signature: { [$0[0] ^ 1] + $0.dropFirst() }))
        await refuse(.signature, try signer.text(list([]), signature: { $0 + [0] }))
        await refuse(.signature, try signer.text(list([]), algorithm: "RS256"))
        await refuse(.signature, try signer.text(list([]), algorithm: "none"))
        await refuse(.foreignSigner, try signer.text(list([]), name: "mds.example.org"))
        await refuse(.path(.noValidPath), sound, at: Date(timeIntervalSince1970: 0))
        await #expect(throws: MetadataRefusal.path(.noValidPath)) {
            try await PasskeyMetadata(sound, endingAt: try TrustRoots([maker.authority.root]), at: Self.time)
        }
    }

    @Test("A list of another structure is refused")
    func structure() async throws {
        let sound = try signer.text(list([entry()]))
        for wrong in ["", ".", "..", "e30.e30.e30", String(decoding: sound, as: UTF8.self) + ".e30"] {
            await refuse(.malformed, Array(wrong.utf8))
        }
        await refuse(.malformed, try signer.text(list([]), besides: [.null]))
        for spelling in [Self.model.uppercased(), Self.model.filter { $0 != "-" }] {
            await refuse(.malformed, try signer.text(list([entry(spelling)])))
        }
        let lists: [JSONObject] = [
            [:], ["no": .integer(1), "nextUpdate": .string("")], PasskeyListSigner.list([], nextUpdate: "31.12.2099"),
            PasskeyListSigner.list([], nextUpdate: "2099-12-311"), list([.null]), list([entry(), entry()]),
            list([entry("4D4D")]), list([.object(["aaguid": .string(Self.model)])]),
        ]
        for wrong in lists { await refuse(.malformed, try signer.text(wrong)) }
    }

    @Test("A list is good until the end of the day on which the next one is due")
    func expiry() async throws {
        let sound = try signer.text(list([entry()]))
        let end = try #require(try? Date("2027-01-01T00:00:00Z", strategy: .iso8601))
        #expect(try await read(sound, at: end - 1).number == 7)
        await refuse(.expired("2026-12-31"), sound, at: end)
    }

    @Test("A list before the one that is in use is refused; the same one and a later one are not")
    func number() async throws {
        let lists = try [6, 7, 8].map { try signer.text(PasskeyListSigner.list([], number: $0)) }
        let used = try await read(lists[1])
        try await read(lists[1]).requireNotEarlier(than: used)
        try await read(lists[2]).requireNotEarlier(than: used)
        try await read(lists[0]).requireNotEarlier(than: nil)
        let earlier = try await read(lists[0])
        #expect(throws: MetadataRefusal.earlier(6, than: 7)) { try earlier.requireNotEarlier(than: used) }
    }
}
