import DeviceAttestation
import Foundation
import Octets
import StrictCBOR
import StrictJSON
import TestSupport
import Testing
import WebAuthn

/// Each step of section 7.1 of Web Authentication Level 3, by its number.
@Suite("A new passkey is judged by the steps of the standard")
struct RegistrationStepTests {
    private let authenticator = SoftwareAuthenticator()

    /// Expects a refusal of an answer of the authenticator, after a change.
    private func expect(
        _ refusal: PasskeyRefusal, step: Int, _ change: (inout SoftwareAuthenticator) -> Void = { _ in },
        answer: (inout MadeRegistration) -> Void = { _ in }, _ location: SourceLocation = #_sourceLocation,
        ceremony: (inout PasskeyCeremonies) -> Void = { _ in }
    ) async throws {
        var (ceremonies, changed) = (try PasskeyCeremonies(), authenticator)
        ceremony(&ceremonies)
        change(&changed)
        var made = try changed.registration(ceremonies.creation)
        answer(&made)
        await ceremonies.expectRefusal(refusal, step: step, of: made.text, location)
    }

    private func accepted(
        _ change: (inout SoftwareAuthenticator) -> Void = { _ in },
        ceremony: (inout PasskeyCeremonies) -> Void = { _ in }
    ) async throws -> VerifiedPasskey {
        var (ceremonies, changed) = (try PasskeyCeremonies(), authenticator)
        ceremony(&ceremonies)
        change(&changed)
        return try await ceremonies.registration(try changed.registration(ceremonies.creation).text)
    }

    // MARK: - Request and answer

    @Test("Steps 1 and 2: the options say what is judged later")
    func step1() throws {
        var ceremonies = try PasskeyCeremonies()
        ceremonies.creation.excluded = [CredentialDescriptor(id: [1, 2], transports: ["usb"])]
        let text = JSONWriter.text(.object(ceremonies.creation.options(of: ceremonies.settings)))
        #expect(
            text == #"{"rp":{"id":"example.org","name":"Example"},"#
                + #""user":{"id":"Bw","name":"ada","displayName":"Ada"},"#
                + #""challenge":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","#
                + #""pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},"#
                + #"{"type":"public-key","alg":-49},{"type":"public-key","alg":-257}],"timeout":300000,"#
                + #""excludeCredentials":[{"type":"public-key","id":"AQI","transports":["usb"]}],"#
                + #""authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"#
                + #""userVerification":"required"},"attestation":"none","extensions":{"credProps":true}}"#)
        let maker = try SoftwareMaker()
        let direct = try PasskeyCeremonies(trusting: maker)
        #expect(direct.creation.options(of: direct.settings)["attestation"] == .string("direct"))
    }

    @Test("Step 3: an answer that is not RegistrationResponseJSON is refused")
    func step3() async throws {
        let ceremonies = try PasskeyCeremonies()
        let sound = try authenticator.registration(ceremonies.creation).json
        let response = try #require(try sound["response"]?.asObject())
        let wrong: [(String, JSONValue?)] = [
            ("id", nil), ("id", .string("")), ("id", .string("AB=")), ("id", .string("AA")), ("rawId", nil),
            ("rawId", .string("AA")), ("type", nil), ("type", .string("password")), ("response", nil),
            ("response", .array([])),
        ]
        for (name, value) in wrong {
            await ceremonies.expectRefusal(.answer, step: 3, of: Self.text(sound, name, value))
        }
        let inside: [(String, JSONValue?)] = [
            ("clientDataJSON", nil), ("clientDataJSON", .string("A")), ("clientDataJSON", .null),
            ("attestationObject", nil), ("attestationObject", .string("_=")), ("transports", .string("usb")),
            ("transports", .array([.null])), ("transports", .array([.string("")])),
            ("transports", .array([JSONValue](repeating: .string("usb"), count: 17))),
        ]
        for (name, value) in inside {
            let changed = try JSONParser.parse(Self.text(response, name, value))
            await ceremonies.expectRefusal(.answer, step: 3, of: Self.text(sound, "response", changed))
        }
        try await expect(.answer, step: 3, answer: { $0.id = [] })
        let most = try JSONParser.parse(
            Self.text(response, "transports", .array([JSONValue](repeating: .string("usb"), count: 16))))
        _ = try await ceremonies.registration(Self.text(sound, "response", most))
        for text in ["", "[]", "{", "{}"] {
            await ceremonies.expectRefusal(.answer, step: 3, of: Array(text.utf8))
        }
    }

    @Test("Step 4: the results of extensions are an object, and say whether the key can be found")
    func step4() async throws {
        let ceremonies = try PasskeyCeremonies()
        var made = try authenticator.registration(ceremonies.creation)
        #expect(try await ceremonies.registration(made.text).isDiscoverable == true)
        made.extensionResults = ["credProps": .object([:]), "unknown": .null]
        #expect(try await ceremonies.registration(made.text).isDiscoverable == nil)
        for wrong: JSONObject in [["credProps": .bool(true)], ["credProps": .object(["rk": .string("yes")])]] {
            made.extensionResults = wrong
            await ceremonies.expectRefusal(.clientExtensions, step: 4, of: made.text)
        }
        for value: JSONValue? in [nil, .null, .array([])] {
            await ceremonies.expectRefusal(
                .clientExtensions, step: 4, of: Self.text(made.json, "clientExtensionResults", value))
        }
    }

    // MARK: - Client data

    @Test("Step 5: client data are UTF-8")
    func step5() async throws {
        try await expect(.clientDataText, step: 5, answer: { $0.clientData[2] = 0xFF })
    }

    @Test("Step 6: client data are JSON")
    func step6() async throws {
        try await expect(.clientData, step: 6, { $0.client.text = "{" })
    }

    @Test("Step 7: client data are about a new key")
    func step7() async throws {
        try await expect(.type, step: 7, { $0.client.type = "webauthn.get" })
        try await expect(.type, step: 7, { $0.client.type = "" })
    }

    @Test("Step 8: the challenge is the request's")
    func step8() async throws {
        try await expect(
            .challenge, step: 8,
            answer: { $0.clientData = SoftwareBrowser().data("webauthn.create", challenge: [UInt8](0..<31)) })
    }

    @Test(
        "Step 9: the origin is an expected one, octet by octet",
        arguments: [
            "https://example.org:443", "https://example.org/", "http://example.org", "https://EXAMPLE.org", "",
            "https://evil.example.org", "https://example.org.evil.test", "android:apk-key-hash:x",
        ])
    func step9(origin: String) async throws {
        try await expect(.origin, step: 9, { $0.client.origin = origin })
    }

    @Test("Step 10: a page in a frame of another origin answers only where that is expected")
    func step10() async throws {
        try await expect(.embedded, step: 10, { $0.client.others = #","crossOrigin":true"# })
        _ = try await accepted {
            $0.client.others = #","crossOrigin":true"#
        } ceremony: {
            $0.settings.embedding = .within([])
        }
        _ = try await accepted { $0.client.others = "" }
    }

    @Test("Step 11: the page around it is an expected one")
    func step11() async throws {
        let framed = #","crossOrigin":true,"topOrigin":"https://shop.test""#
        try await expect(
            .topOrigin, step: 11, { $0.client.others = framed },
            ceremony: { $0.settings.embedding = .within(["https://other.test"]) })
        _ = try await accepted {
            $0.client.others = framed
        } ceremony: {
            $0.settings.embedding = .within(["https://other.test", "https://shop.test"])
        }
    }

    @Test("Step 12: the digest is the one of the client data as they came")
    func step12() async throws {
        let ceremonies = try PasskeyCeremonies()
        var made = try authenticator.registration(ceremonies.creation, .packed)
        _ = try await ceremonies.registration(made.text)
        made.clientData = Array(
            #"{"type":"webauthn.create","challenge":"\#(Base64URL.encode(ceremonies.creation.challenge))","origin":"https://example.org","crossOrigin":false,"a":1}"#
                .utf8)
        await ceremonies.expectRefusal(.statement(.signature), step: 22, of: made.text)
    }

    // MARK: - Authenticator data

    @Test("Step 13: the attestation object is canonical CBOR, and the authenticator data have a key")
    func step13() async throws {
        try await expect(.attestationObject, step: 13, answer: { $0.object = [] })
        try await expect(.attestationObject, step: 13, answer: { $0.object = $0.attestationObject + [0] })
        try await expect(
            .attestationObject, step: 13,
            answer: { made in made.object = CBORWriter.write(.map(CBORMap([.init(.text("fmt"), .text("none"))]))) })
        try await expect(
            .attestationObject, step: 13,
            answer: { made in
                let members = try? CBORParser.parse(made.attestationObject).map?.members
                made.object = CBORWriter.write(.map(CBORMap((members ?? []) + [.init(.text("epAtt"), .bool(true))])))
            })
        // A length that is not written in its shortest form.
        try await expect(
            .attestationObject, step: 13,
            answer: { made in
                let object = made.attestationObject
                made.object = [0xB8, 3] + object.dropFirst()
            })
        try await expect(
            .authenticatorData, step: 13, answer: { $0.authenticatorData = Array($0.authenticatorData.prefix(36)) })
        try await expect(.authenticatorData, step: 13, answer: { $0.authenticatorData += [0] })
        try await expect(.authenticatorData, step: 13, answer: { $0.authenticatorData[32] ^= 0x40 })
        try await expect(.authenticatorData, step: 13, answer: { $0.authenticatorData[32] ^= 0x80 })
        try await expect(
            .authenticatorData, step: 13,
            answer: { [authenticator] in $0.authenticatorData = authenticator.authenticatorData(ofNewKey: false) })
        try await expect(.authenticatorData, step: 13, answer: { $0.authenticatorData = [] })
    }

    @Test("Step 14: the key belongs to this RP ID")
    func step14() async throws {
        try await expect(.relyingPartyID, step: 14, { $0.relyingPartyID = "login.example.org" })
    }

    @Test("Step 15: the user was there, unless the browser makes the key by itself")
    func step15() async throws {
        try await expect(.userPresence, step: 15, { $0.flags = 0x04 })
        _ = try await accepted {
            $0.flags = 0x04
        } ceremony: {
            $0.creation.isConditional = true
        }
    }

    @Test("Step 16: the user was verified, where that is required")
    func step16() async throws {
        try await expect(.userVerification, step: 16, { $0.flags = 0x01 })
        for demand in [PasskeyDemand.preferred, .discouraged] {
            let passkey = try await accepted {
                $0.flags = 0x01
            } ceremony: {
                $0.creation.userVerification = demand
            }
            #expect(!passkey.record.wasUserVerified)
        }
        #expect(try await accepted().record.wasUserVerified)
    }

    @Test("Step 17: what cannot be backed up is not backed up")
    func step17() async throws {
        try await expect(.backupState, step: 17, { $0.flags = 0x15 })
    }

    @Test("Step 18: keys that can leave their device are kept as such, or refused by policy")
    func step18() async throws {
        try await expect(
            .backupEligibility, step: 18, { $0.flags = 0x0D }, ceremony: { $0.settings.takesSyncedKeys = false })
        #expect(try await accepted { $0.flags = 0x0D }.record.isBackupEligible == true)
        #expect(try await accepted(ceremony: { $0.settings.takesSyncedKeys = false }).record.isBackupEligible == false)
    }

    @Test("Step 19: whether a key is on several devices is kept")
    func step19() async throws {
        #expect(try await accepted { $0.flags = 0x1D }.record.state.isBackedUp)
        #expect(try await !accepted { $0.flags = 0x0D }.record.state.isBackedUp)
    }

    @Test("Step 20: the algorithm of the key is offered", arguments: COSEAlgorithm.allCases)
    func step20(algorithm: COSEAlgorithm) async throws {
        var ceremonies = try PasskeyCeremonies()
        let made = try SoftwareAuthenticator(try .new(algorithm)).registration(ceremonies.creation)
        #expect(try await ceremonies.registration(made.text).record.key.algorithm == algorithm)
        ceremonies.settings.algorithms.removeAll { $0 == algorithm }
        await ceremonies.expectRefusal(.algorithm, step: 20, of: made.text)
    }

    // MARK: - Statement

    @Test("Step 21: the format is a known one, letter by letter, unless the policy takes others for none")
    func step21() async throws {
        for format in ["None", "compound", "android-safetynet", ""] {
            try await expect(.format, step: 21, answer: { $0.format = format })
        }
        var ceremonies = try PasskeyCeremonies()
        ceremonies.settings.attestation.takesUnknownFormats = true
        var made = try authenticator.registration(ceremonies.creation)
        made.format = "compound"
        #expect(try await ceremonies.registration(made.text).attestation == .none)
    }

    @Test("Step 22: the statement is sound by the rules of its format")
    func step22() async throws {
        try await expect(.statement(.syntax), step: 22, answer: { $0.statement = ["x5c": .array([])] })
    }

    @Test("Step 23: there is a root for the certificates of a statement")
    func step23() async throws {
        let maker = try SoftwareMaker()
        var ceremonies = try PasskeyCeremonies()
        let made = try authenticator.registration(ceremonies.creation, .packed, by: maker)
        await ceremonies.expectRefusal(.rootMissing, step: 23, of: made.text)
        ceremonies.settings.attestation.takesUnknownRoots = true
        #expect(try await ceremonies.registration(made.text).attestation == .itself)
    }

    @Test("Step 24: nothing but a path to a root makes a statement trustworthy")
    func step24() async throws {
        let (maker, other) = (try SoftwareMaker(), try SoftwareMaker())
        var ceremonies = try PasskeyCeremonies(trusting: other)
        let made = try authenticator.registration(ceremonies.creation, .packed, by: maker)
        await ceremonies.expectRefusal(.certificatePath(.noValidPath), step: 24, of: made.text)
        ceremonies.settings.attestation.takesUnknownRoots = true
        #expect(try await ceremonies.registration(made.text).attestation == .itself)
        let trusting = try PasskeyCeremonies(trusting: maker)
        #expect(try await trusting.registration(made.text).attestation == .certified)
        try await expect(
            .attestationMissing, step: 24, ceremony: { $0.settings.attestation.takesNone = false })
        ceremonies.settings.attestation.takesSelf = false
        await ceremonies.expectRefusal(
            .attestationMissing, step: 24, of: try authenticator.registration(ceremonies.creation, .packed).text)
    }

    // MARK: - Record

    @Test("Step 25: an identifier has at most 1023 bytes")
    func step25() async throws {
        let longest = [UInt8](repeating: 1, count: 1023)
        #expect(try await accepted { $0.id = longest }.record.descriptor.id == longest)
        try await expect(.credentialIDLength, step: 25, { $0.id = longest + [1] })
        try await expect(.credentialIDLength, step: 25, { $0.id = [] }, answer: { $0.id = [1] })
    }

    @Test("Step 26: an identifier that is registered is refused")
    func step26() async throws {
        try await expect(.alreadyRegistered, step: 26, ceremony: { $0.isRegistered = true })
    }

    @Test("Step 27: the record holds what the authenticator has said")
    func step27() async throws {
        try await expect(.foreignCredentialID, step: 27, answer: { $0.id[0] ^= 1 })
        let record = try await accepted { $0.counter = 0x0102_0304 }.record
        #expect(record.descriptor == CredentialDescriptor(id: authenticator.id, transports: ["internal"]))
        #expect(record.user == [7] && record.model.octets == authenticator.model)
        #expect(record.state == PasskeyRecord.State(signCounter: 0x0102_0304, isBackedUp: false))
        #expect(record.key.octets == CBORWriter.write(authenticator.key.cose))
        #expect(try CredentialKey(octets: record.key.octets) == record.key)
    }

    @Test("Step 28: extensions that were not asked for are ignored, when they are sound")
    func step28() async throws {
        _ = try await accepted { $0.extensions = CBORMap([.init(.text("credProtect"), .integer(3))]) }
    }

    private static func text(_ object: JSONObject, _ name: String, _ value: JSONValue?) -> [UInt8] {
        var members = object.members.filter { $0.name != name }
        if let value { members.append(.init(name, value)) }
        return JSONWriter.write(.object(JSONObject(distinct: members)))
    }
}
