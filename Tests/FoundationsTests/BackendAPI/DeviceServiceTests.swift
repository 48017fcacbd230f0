import BackendAPI
import JOSE
import Testing
import UAF

@Suite("backend-http-api 4: what devices sign and are told")
struct DeviceServiceTests {
    private static let claims = DeviceClaims(
        dispatchTargetID: "c3d5", requestID: "6f0e", creationTime: 1_769_860_800_000,
        audience: "https://h/nevisfido/devices/credentials/d", method: .patch)

    /// The public keys of RFC 7517, appendix A.1, and of RFC 7518, appendix C.
    private static func key(_ x: String, _ y: String) throws -> JWK {
        try JWK(json: Array(#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#.utf8))
    }

    private static func target() throws -> NewDispatchTarget {
        NewDispatchTarget(
            name: try #require(DeviceName("Jeff's phone")), deviceID: DeviceID("com.example.app#1"),
            destination: .token("fcm"), dispatcher: .firebaseCloudMessaging,
            signatureKey: try key(
                "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"),
            encryptionKey: try key(
                "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ", "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck"))
    }

    @Test("Signed requests are read as they were written")
    func requests() throws {
        #expect(try DeviceRequest(body: DeviceRequest(Self.claims).body).claims == Self.claims)
        let target = try Self.target()
        let change = DispatchTargetChange(
            Self.claims, name: target.name, destination: .disabledByUser, encryptionKey: target.encryptionKey)
        let changed = try DispatchTargetChange(body: change.body)
        #expect(changed == change && changed.destination == .disabledByUser && changed.dispatcher == nil)
        let user = try #require(UserName("jeff"))
        let removal = DeviceChange(
            Self.claims, removing: [.init(username: user, aaid: AAID("F1D0#1001"))], targetIDs: ["a"])
        let removed = try DeviceChange(body: removal.body)
        #expect(removed.removals == removal.removals && removed.targetIDs == ["a"])
    }

    @Test(
        "Requests without a claim, with too long an identifier, or that remove nothing are refused",
        arguments: [
            #"{}"#, #"{"dispatchTargetId":"a","requestId":"b"}"#,
            #"{"dispatchTargetId":"a","requestId":"","creationTimeInEpochMillis":1,"removeTargets":["x"]}"#,
            #"{"dispatchTargetId":"a","requestId":"b\u0000","creationTimeInEpochMillis":1,"removeTargets":["x"]}"#,
            #"{"dispatchTargetId":"a","requestId":"b","creationTimeInEpochMillis":"1","removeTargets":["x"]}"#,
            #"{"dispatchTargetId":"a","requestId":"b","creationTimeInEpochMillis":1}"#,
            #"{"dispatchTargetId":"a","requestId":"b","creationTimeInEpochMillis":1,"htm":"PUT","removeTargets":["x"]}"#,
            #"{"dispatchTargetId":"a","requestId":"b","creationTimeInEpochMillis":1,"remove":[{"username":"j","keyId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]}"#,
        ])
    func refused(text: String) {
        #expect(throws: BackendAPIError.self) { try DeviceChange(body: Array(text.utf8)) }
    }

    @Test(
        "An identifier that the device is to keep has 1 to 256 characters",
        arguments: [(0, false), (1, true), (256, true), (257, false)])
    func identifiers(count: Int, isTaken: Bool) {
        let text = String(repeating: "é", count: count)
        for body in [#"{"id":"\#(text)","extId":"x"}"#, #"{"id":"x","extId":"\#(text)"}"#] {
            let target = try? CreatedDispatchTarget(body: Array(body.utf8))
            #expect((target != nil) == isTaken)
        }
    }

    @Test("A proof names the target, both keys, the address and this registration")
    func proofs() throws {
        let target = try Self.target()
        let hash = [UInt8](repeating: 7, count: 32)
        let proof = DispatchTargetProof(
            of: target, challengeHash: hash, audience: "https://h/nevisfido/uaf/1.1/registration")
        let again = try DispatchTargetProof(body: proof.body)
        #expect(again.statement == DispatchTargetProof.Statement(of: target))
        #expect(again.challengeHash == hash && again.audience == proof.audience && again.claims == nil)
        let other = NewDispatchTarget(
            name: target.name, deviceID: target.deviceID, destination: .token("thief"), dispatcher: target.dispatcher,
            signatureKey: target.signatureKey, encryptionKey: target.encryptionKey)
        #expect(again.statement != DispatchTargetProof.Statement(of: other))

        let device = try #require(DeviceID("d"))
        let claims = DeviceClaims(
            dispatchTargetID: "t", requestID: "r", creationTime: 1, audience: "https://h/x", method: .post)
        let further = DispatchTargetProof(
            existingOn: device, signatureKeyThumbprint: "p", challengeHash: hash, claims: claims)
        #expect(try DispatchTargetProof(body: further.body).claims == claims)
    }

    @Test("A registration's context carries a new target with its keys, or points to an existing one")
    func proposals() throws {
        let context = ResponseContext(
            linkingDigits: "42", isReported: true, dispatchTarget: .new(try Self.target(), proof: "a.b.c"))
        let again = try ResponseContext(text: context.text)
        #expect(again.linkingDigits == "42" && again.isReported && again.text == context.text)
        guard case .new(let target, let proof) = again.dispatchTarget else {
            Issue.record("not a new target")
            return
        }
        #expect(target.name.text == "Jeff's phone" && proof == "a.b.c")
        let existing = ResponseContext(dispatchTarget: .existing(try #require(DeviceID("d")), proof: "a.b.c"))
        guard case .existing(let device, _) = try ResponseContext(text: existing.text).dispatchTarget else {
            Issue.record("not an existing target")
            return
        }
        #expect(device.text == "d")
        #expect(throws: BackendAPIError.self) { try ResponseContext(text: #"{"channelLinking":{"digits":"4x"}}"#) }
    }

    @Test("What a server tells a device is read as it was written")
    func answers() throws {
        let user = try #require(UserName("jeff"))
        let device = try #require(DeviceID("d"))
        let id = CredentialID(
            aaid: try #require(AAID("F1D0#1001")),
            keyID: try #require(KeyID(base64URL: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")))
        let credentials = DeviceCredentials(
            requestID: "r", deviceID: device,
            accounts: [
                .init(
                    username: user,
                    target: .init(
                        id: "t", name: try #require(DeviceName("n")), dispatcher: nil, destination: .disabledByUser),
                    credentials: [.init(id, state: .active)]),
                .init(username: user, target: nil, credentials: [], unassigned: [id]),
            ])
        #expect(try DeviceCredentials(body: credentials.body).accounts == credentials.accounts)
        let pending = PendingOperations(
            requestID: "r",
            entries: [
                .init(
                    dispatchTargetID: "t", creationTime: 1, dispatcher: .firebaseCloudMessaging,
                    additionalInformation: #"{"title":"x"}"#,
                    payload: OutOfBandEnvelope(.plain(.init(token: "t", redeemURL: "https://h/r"))))
            ])
        #expect(try PendingOperations(body: pending.body).entries == pending.entries)
    }

    @Test("Names and identifiers of devices hold no control characters and have a length")
    func names() {
        for text in ["", "a\u{0}", "a\nb", String(repeating: "x", count: 129)] {
            #expect(DeviceName(text) == nil)
        }
        #expect(DeviceName("Jörg's 📱")?.text == "Jörg's 📱")
        #expect(DeviceID(String(repeating: "x", count: 257)) == nil && PushDestination("") == nil)
        #expect(PushDestination("a\0b") == nil, "it is stored, and not every database has a NUL in its texts")
        #expect(PushDestination("user-disabled") == .disabledByUser)
    }
}
