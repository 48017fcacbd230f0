import Crypto
import Foundation
import StrictCBOR
import StrictJSON
import TestSupport
import Testing
import WebAuthn

/// Each step of section 7.2 of Web Authentication Level 3, by its number.
@Suite("A signature with a passkey is judged by the steps of the standard")
struct AuthenticationStepTests {
    private let authenticator = SoftwareAuthenticator()

    /// Expects a refusal of a signature of the authenticator, after a change.
    private func expect(
        _ refusal: PasskeyRefusal, step: Int, _ change: (inout SoftwareAuthenticator) -> Void = { _ in },
        answer: (inout MadeAssertion) -> Void = { _ in }, _ location: SourceLocation = #_sourceLocation,
        ceremony: (inout PasskeyCeremonies) -> Void = { _ in }
    ) async throws {
        var (ceremonies, changed) = (try PasskeyCeremonies(), authenticator)
        let record = try await ceremonies.record(of: changed)
        ceremony(&ceremonies)
        change(&changed)
        var made = try changed.assertion(ceremonies.request)
        answer(&made)
        ceremonies.expectRefusal(refusal, step: step, of: made.text, record: record, location)
    }

    private func accepted(
        _ change: (inout SoftwareAuthenticator) -> Void = { _ in }, user: [UInt8]? = [7],
        ceremony: (inout PasskeyCeremonies) -> Void = { _ in }
    ) async throws -> VerifiedPasskeyUse {
        var (ceremonies, changed) = (try PasskeyCeremonies(), authenticator)
        let record = try await ceremonies.record(of: changed)
        ceremony(&ceremonies)
        change(&changed)
        return try ceremonies.authentication(try changed.assertion(ceremonies.request, user: user).text, record)
    }

    // MARK: - Request, answer, credential

    @Test("Steps 1 and 2: the options say what is judged later")
    func step1() throws {
        var ceremonies = try PasskeyCeremonies()
        ceremonies.request.allowed = [CredentialDescriptor(id: [1, 2])]
        #expect(
            JSONWriter.text(.object(ceremonies.request.options(of: ceremonies.settings)))
                == #"{"challenge":"ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8","timeout":300000,"rpId":"example.org","#
                + #""allowCredentials":[{"type":"public-key","id":"AQI"}],"userVerification":"required"}"#)
    }

    @Test("Step 3: an answer that is not AuthenticationResponseJSON is refused")
    func step3() async throws {
        let ceremonies = try PasskeyCeremonies()
        let record = try await ceremonies.record(of: authenticator)
        let made = try authenticator.assertion(ceremonies.request)
        let response = try #require(try made.json["response"]?.asObject())
        for name in ["clientDataJSON", "authenticatorData", "signature"] {
            let rest = response.members.filter { $0.name != name }
            let members = made.json.members.map {
                $0.name == "response" ? .init("response", .object(JSONObject(distinct: rest))) : $0
            }
            let text = JSONWriter.write(.object(JSONObject(distinct: members)))
            ceremonies.expectRefusal(.answer, step: 3, of: text, record: record)
        }
        for handle in [[], [UInt8](repeating: 1, count: 65)] {
            try await expect(.answer, step: 3, answer: { $0.user = handle })
        }
        let new = try authenticator.registration(ceremonies.creation)
        ceremonies.expectRefusal(.answer, step: 3, of: new.text, record: record)
    }

    @Test("Step 4: the results of extensions are an object")
    func step4() async throws {
        let ceremonies = try PasskeyCeremonies()
        let record = try await ceremonies.record(of: authenticator)
        let members = try authenticator.assertion(ceremonies.request).json.members.filter {
            $0.name != "clientExtensionResults"
        }
        let text = JSONWriter.write(.object(JSONObject(distinct: members)))
        ceremonies.expectRefusal(.clientExtensions, step: 4, of: text, record: record)
    }

    @Test("Step 5: the credential is one that the request has named")
    func step5() async throws {
        try await expect(
            .notAllowed, step: 5, ceremony: { $0.request.allowed = [CredentialDescriptor(id: [1])] })
        _ = try await accepted(ceremony: { [authenticator] in
            $0.request.allowed = [CredentialDescriptor(id: [1]), CredentialDescriptor(id: authenticator.id)]
        })
    }

    @Test("Step 6: the credential is one of the user")
    func step6() async throws {
        let ceremonies = try PasskeyCeremonies()
        let made = try authenticator.assertion(ceremonies.request)
        ceremonies.expectRefusal(.unknownCredential, step: 6, of: made.text, record: nil)
        let other = try await ceremonies.record(of: SoftwareAuthenticator())
        ceremonies.expectRefusal(.unknownCredential, step: 6, of: made.text, record: other)
        try await expect(.unknownCredential, step: 6, answer: { $0.user = [8] })
        try await expect(.userMissing, step: 6, answer: { $0.user = nil })
        // The user is known before.
        try await expect(.unknownCredential, step: 6, ceremony: { $0.request.user = [8] })
        try await expect(
            .foreignUser, step: 6, answer: { $0.user = [8] }, ceremony: { $0.request.user = [7] })
        _ = try await accepted(user: nil, ceremony: { $0.request.user = [7] })
        #expect(try await accepted().record.user == [7])
    }

    // MARK: - Client data

    @Test("Step 7: authenticator data have their structure, and no new key")
    func step7() async throws {
        try await expect(.authenticatorData, step: 7, answer: { $0.authenticatorData.removeLast() })
        try await expect(.authenticatorData, step: 7, answer: { $0.authenticatorData += [0] })
        try await expect(.authenticatorData, step: 7, answer: { $0.authenticatorData[32] |= 0x80 })
        try await expect(
            .authenticatorData, step: 7,
            answer: { [authenticator] in $0.authenticatorData = authenticator.authenticatorData(ofNewKey: true) })
    }

    @Test("Step 8: client data are UTF-8")
    func step8() async throws {
        try await expect(.clientDataText, step: 8, answer: { $0.clientData[2] = 0xFF })
    }

    @Test("Step 9: client data are JSON")
    func step9() async throws {
        try await expect(.clientData, step: 9, { $0.client.text = "{" })
    }

    @Test("Step 10: client data are about a signature")
    func step10() async throws {
        try await expect(.type, step: 10, { $0.client.type = "webauthn.create" })
    }

    @Test("Step 11: the challenge is the request's")
    func step11() async throws {
        try await expect(
            .challenge, step: 11,
            answer: { $0.clientData = SoftwareBrowser().data("webauthn.get", challenge: [UInt8](0..<32)) })
    }

    @Test("Step 12: the origin is an expected one")
    func step12() async throws {
        try await expect(.origin, step: 12, { $0.client.origin = "https://example.test" })
    }

    @Test("Step 13: a page in a frame of another origin answers only where that is expected")
    func step13() async throws {
        try await expect(.embedded, step: 13, { $0.client.others = #","crossOrigin":true"# })
    }

    @Test("Step 14: the page around it is an expected one")
    func step14() async throws {
        let framed = #","crossOrigin":true,"topOrigin":"https://shop.test""#
        try await expect(
            .topOrigin, step: 14, { $0.client.others = framed }, ceremony: { $0.settings.embedding = .within([]) })
        _ = try await accepted {
            $0.client.others = framed
        } ceremony: {
            $0.settings.embedding = .within(["https://shop.test"])
        }
    }

    // MARK: - Authenticator data and signature

    @Test("Step 15: the signature is for this RP ID")
    func step15() async throws {
        try await expect(.relyingPartyID, step: 15, { $0.relyingPartyID = "example.com" })
    }

    @Test("Step 16: the user was there")
    func step16() async throws {
        try await expect(.userPresence, step: 16, { $0.flags = 0x04 })
    }

    @Test("Step 17: the user was verified, where that is required")
    func step17() async throws {
        try await expect(.userVerification, step: 17, { $0.flags = 0x01 })
        let use = try await accepted {
            $0.flags = 0x01
        } ceremony: {
            $0.request.userVerification = .preferred
        }
        #expect(!use.isUserVerified)
        #expect(try await accepted().isUserVerified)
    }

    @Test("Step 18: what cannot be backed up is not backed up")
    func step18() async throws {
        try await expect(.backupState, step: 18, { $0.flags = 0x15 })
    }

    @Test("Step 19: whether a key can leave its device never changes")
    func step19() async throws {
        try await expect(.backupEligibility, step: 19, { $0.flags = 0x0D })
        var synced = authenticator
        synced.flags = 0x0D
        var ceremonies = try PasskeyCeremonies()
        let record = try await ceremonies.record(of: synced)
        _ = try ceremonies.authentication(try synced.assertion(ceremonies.request).text, record)
        let bound = try authenticator.assertion(ceremonies.request)
        ceremonies.expectRefusal(.backupEligibility, step: 19, of: bound.text, record: record)
        // The policy has become stricter since.
        ceremonies.settings.takesSyncedKeys = false
        ceremonies.expectRefusal(
            .backupEligibility, step: 19, of: try synced.assertion(ceremonies.request).text, record: record)
    }

    @Test("Step 20: the digest is the one of the client data as they came")
    func step20() async throws {
        try await expect(
            .signature, step: 21,
            answer: {
                $0.clientData.removeLast()
                $0.clientData += Array(#","a":1}"#.utf8)
            })
    }

    @Test("Step 21: the signature is good with the key of the record", arguments: COSEAlgorithm.allCases)
    func step21(algorithm: COSEAlgorithm) async throws {
        let ceremonies = try PasskeyCeremonies()
        let authenticator = SoftwareAuthenticator(try .new(algorithm))
        let record = try await ceremonies.record(of: authenticator)
        var made = try authenticator.assertion(ceremonies.request)
        _ = try ceremonies.authentication(made.text, record)
        let sound = made.signature
        for wrong in [[], Array(sound.dropLast()), sound + [0], [UInt8](repeating: 0, count: sound.count)] {
            made.signature = wrong
            ceremonies.expectRefusal(.signature, step: 21, of: made.text, record: record)
        }
        var other = SoftwareAuthenticator(algorithm == .rs256 ? .es256(.init()) : try .new(algorithm))
        other.id = authenticator.id
        ceremonies.expectRefusal(
            .signature, step: 21, of: try other.assertion(ceremonies.request).text, record: record)
    }

    @Test("Step 22: the counter grows, or neither side counts; a forged signature raises no alarm")
    func step22() async throws {
        let ceremonies = try PasskeyCeremonies()
        var counting = authenticator
        counting.counter = 5
        let record = try await ceremonies.record(of: counting)
        for counter: UInt32 in [0, 4, 5] {
            counting.counter = counter
            var made = try counting.assertion(ceremonies.request)
            ceremonies.expectRefusal(.signCounter, step: 22, of: made.text, record: record)
            made.signature[made.signature.count - 1] ^= 1
            ceremonies.expectRefusal(.signature, step: 21, of: made.text, record: record)
        }
        for counter: UInt32 in [6, .max] {
            counting.counter = counter
            let use = try ceremonies.authentication(try counting.assertion(ceremonies.request).text, record)
            #expect(use.record.state.signCounter == counter)
        }
        #expect(try await accepted { $0.counter = 1 }.record.state.signCounter == 1)
        #expect(try await accepted().record.state.signCounter == 0)
    }

    @Test("Step 23: extensions that were not asked for are ignored, when they are sound")
    func step23() async throws {
        _ = try await accepted { $0.extensions = CBORMap([.init(.text("hmac-secret"), .bytes([1]))]) }
    }

    @Test("Step 24: the record gets the counter and the backup state, and nothing else")
    func step24() async throws {
        let ceremonies = try PasskeyCeremonies()
        var synced = authenticator
        synced.flags = 0x09
        var offer = ceremonies
        offer.creation.userVerification = .preferred
        let record = try await offer.record(of: synced)
        synced.flags = 0x1D
        synced.counter = 9
        let use = try ceremonies.authentication(try synced.assertion(ceremonies.request).text, record)
        var expected = record
        expected.state = PasskeyRecord.State(signCounter: 9, isBackedUp: true)
        #expect(use.record == expected && !use.record.wasUserVerified && use.isUserVerified)
    }
}
