import BackendAPI
import Crypto
import JOSE
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Registration: the dispatch target that comes with it (backend-http-api 2.3.5)")
struct TargetAttachmentTests {
    private let device: SyntheticDevice
    private let server: TestServer
    private let user: User

    init() async throws {
        device = try SyntheticDevice()
        server = try await TestServer(authenticators: [SyntheticAuthenticator()])
        user = try await server.services.users.add(name: "jeff")
    }

    private static let audience = TestServer.origin + "/nevisfido/uaf/1.1/registration"

    /// Registers a fresh key and proposes a target with the proof that `prove` makes of the challenge's hash.
    private func register(
        _ prove: ([UInt8]) throws -> DispatchTargetProposal
    ) async throws -> (AcceptedAnswer, SyntheticAuthenticator) {
        let phone = try SyntheticAuthenticator()
        let message = try server.client.answer(
            try await server.registrationRequest(for: user), with: [phone])
        let fcParams = try JSONParser.parse(message).asArray { value throws(JSONTypeError) in
            try value.asObject().string("fcParams")
        }[0]
        let proposal = try prove(Array(SHA256.hash(data: Array(fcParams.utf8))))
        let response = SendUAFResponse(
            uafResponse: String(decoding: message, as: UTF8.self), context: ResponseContext(dispatchTarget: proposal))
        let answer = try await server.services.registrationResponses.acceptResponse(response, client: ClientContext())
        return (answer, phone)
    }

    private func proposal(_ name: String, by signer: SyntheticDevice, _ hash: [UInt8]) throws -> DispatchTargetProposal
    {
        let target = try device.target(named: name)
        let proof = DispatchTargetProof(of: target, challengeHash: hash, audience: Self.audience)
        return .new(target, proof: try signer.signed(proof))
    }

    @Test("A proved key makes a target, which holds the credential")
    func creation() async throws {
        let (answer, phone) = try await register { try proposal("Phone", by: device, $0) }
        #expect(answer.message.statusCode == .ok)
        let id = try #require(answer.message.dispatchTarget?.id)
        let credentials = try await server.services.users.credentials(of: user)
        #expect(credentials.map(\.id) == [phone.credential] && credentials.first?.targetID?.text == id)
        #expect(try await server.auditKinds().suffix(2) == ["DISPATCH_TARGET_CREATED", "REGISTRATION_SUCCEEDED"])
    }

    @Test("A phone that prefers a dispatcher which is not set up here registers, and prefers none")
    func unknownDispatcher() async throws {
        let asked = NewDispatchTarget(
            name: try #require(DeviceName("Phone")), deviceID: device.id, destination: .token("push-token"),
            dispatcher: .pngQRCode, signatureKey: try device.signatureKey, encryptionKey: try device.encryptionKey)
        let (answer, _) = try await register { hash in
            let proof = DispatchTargetProof(of: asked, challengeHash: hash, audience: Self.audience)
            return .new(asked, proof: try device.signed(proof))
        }
        #expect(answer.message.statusCode == .ok)
        let target = try #require(try await server.services.targets.targets(ofUserNamed: "jeff").first)
        #expect(target.dispatcher == nil && target.destination == .token("push-token"))
    }

    @Test("A new target replaces none: of the same name it gets a number")
    func numbering() async throws {
        _ = try await register { try proposal("Phone", by: device, $0) }
        let (answer, _) = try await register { try proposal("Phone", by: device, $0) }
        #expect(answer.message.statusCode == .ok)
        let targets = try await server.services.targets.targets(ofUserNamed: "jeff")
        #expect(Set(targets.map(\.name.text)) == ["Phone", "Phone (2)"])
    }

    @Test("A proof by another key, of other properties, or of another challenge refuses the whole registration")
    func forgeries() async throws {
        let other = try SyntheticDevice()
        let forgeries: [([UInt8]) throws -> DispatchTargetProposal] = [
            { try proposal("Phone", by: other, $0) },
            { hash in
                guard case .new(_, let proof) = try proposal("Phone", by: device, hash) else { throw Fault() }
                return .new(try device.target(named: "Other"), proof: proof)
            },
            { _ in try proposal("Phone", by: device, [UInt8](repeating: 0, count: 32)) },
            { hash in
                let target = try device.target()
                let proof = DispatchTargetProof(
                    of: target, challengeHash: hash, audience: "https://evil.example/uaf/1.1/registration")
                return .new(target, proof: try device.signed(proof))
            },
        ]
        for forge in forgeries {
            let (answer, _) = try await register(forge)
            #expect(answer.message.statusCode == .unacceptableContent)
        }
        #expect(try await server.services.users.credentials(of: user).isEmpty)
        #expect(try await server.services.targets.targets(ofUserNamed: "jeff").isEmpty)
    }

    private struct Fault: Error {}

    private func existing(
        _ target: String, by signer: SyntheticDevice, _ hash: [UInt8], requestID: String = "r", skew: Int64 = 0
    ) throws -> DispatchTargetProposal {
        let now = server.claims(target, .registrationResponse, requestID: requestID)
        let claims = DeviceClaims(
            dispatchTargetID: target, requestID: requestID, creationTime: now.creationTime + skew,
            audience: now.audience, method: now.method)
        let proof = DispatchTargetProof(
            existingOn: device.id, signatureKeyThumbprint: JWKThumbprint(of: try device.signatureKey).text,
            challengeHash: hash, claims: claims)
        return .existing(device.id, proof: try signer.signed(proof))
    }

    @Test("A further registration names the target by the key that the server knows, once")
    func furtherRegistration() async throws {
        let id = try #require(
            try await register { try proposal("Phone", by: device, $0) }.0.message.dispatchTarget?.id)
        let (answer, phone) = try await register { try existing(id, by: device, $0) }
        #expect(answer.message.statusCode == .ok && answer.message.dispatchTarget?.id == id)
        let credentials = try await server.services.users.credentials(of: user)
        #expect(credentials.first { $0.id == phone.credential }?.targetID?.text == id)
        let (replayed, _) = try await register { try existing(id, by: device, $0) }
        #expect(replayed.message.statusCode == .unacceptableContent)
        let (forged, _) = try await register { try existing(id, by: SyntheticDevice(), $0, requestID: "r2") }
        #expect(forged.message.statusCode == .unacceptableContent)
        #expect(try await server.services.users.credentials(of: user).count == 2)
    }

    @Test("A wrong clock in a further registration is told as such")
    func clock() async throws {
        let id = try #require(
            try await register { try proposal("Phone", by: device, $0) }.0.message.dispatchTarget?.id)
        await #expect(throws: ServerError.clockSkewTooBig) {
            try await register { try existing(id, by: device, $0, skew: -1_000_000) }
        }
        #expect(try await server.services.users.credentials(of: user).count == 1)
    }

    @Test("The user of another account cannot attach a key to a target")
    func foreignTarget() async throws {
        let eve = try await server.services.users.add(name: "eve")
        let foreign = try await server.addTarget(of: eve, on: device)
        let (answer, _) = try await register { try existing(foreign, by: device, $0) }
        #expect(answer.message.statusCode == .unacceptableContent)
    }

    @Test("JWS deregistration removes the credentials of the device, and those only (A-17)")
    func deregistration() async throws {
        let (answer, phone) = try await register { try proposal("Phone", by: device, $0) }
        let id = try #require(answer.message.dispatchTarget?.id)
        try await server.register(SyntheticAuthenticator(), for: user)
        let credential = try #require(phone.credential)
        let others = try await server.services.users.credentials(of: user).map(\.id).filter { $0 != credential }
        let devices = server.services.devices
        let foreign = DeviceChange(
            server.claims(id, .changeDevice, naming: device.id.text, requestID: "r1"),
            removing: [.init(username: user.name, aaid: others[0].aaid, keyID: others[0].keyID)])
        await #expect(throws: ServerError.targetUnknown) {
            try await devices.change(device.id.text, signed: device.signed(foreign), client: ClientContext())
        }
        let own = DeviceChange(
            server.claims(id, .changeDevice, naming: device.id.text, requestID: "r2"),
            removing: [.init(username: user.name, aaid: credential.aaid, keyID: credential.keyID)], targetIDs: [id])
        try await devices.change(device.id.text, signed: device.signed(own), client: ClientContext())
        #expect(try await server.services.users.credentials(of: user).map(\.id) == others)
        #expect(try await server.services.targets.targets(ofUserNamed: "jeff").isEmpty)
    }

    @Test("The last credential that an owner removes takes the target with it, by whatever way, and not before")
    func lastCredential() async throws {
        for (round, isByDevice) in [true, false].enumerated() {
            let (answer, first) = try await register { try proposal("Phone", by: device, $0) }
            let id = try #require(answer.message.dispatchTarget?.id)
            let (_, second) = try await register { try existing(id, by: device, $0) }
            for (number, phone) in [first, second].enumerated() {
                #expect(try await server.services.targets.targets(ofUserNamed: "jeff").map(\.id.text) == [id])
                let credential = try #require(phone.credential)
                if isByDevice {
                    let change = DeviceChange(
                        server.claims(id, .changeDevice, naming: device.id.text, requestID: "last-\(number)"),
                        removing: [.init(username: user.name, aaid: credential.aaid, keyID: credential.keyID)])
                    try await server.services.devices.change(
                        device.id.text, signed: device.signed(change), client: ClientContext())
                } else {
                    let request = GetUAFRequest(DeregistrationContext(scope: .keys([credential])))
                    _ = try await server.services.deregistration.issueRequest(
                        request, authorization: server.grant(user), client: ClientContext())
                }
            }
            #expect(try await server.services.targets.targets(ofUserNamed: "jeff").isEmpty)
            let kinds = try await server.auditKinds()
            #expect(kinds.count { $0 == "DISPATCH_TARGET_DELETED" } == round + 1)
        }
    }

    @Test("A device that removes one of two records of an account keeps its credentials under the other")
    func inheritance() async throws {
        let (answer, _) = try await register { try proposal("Phone", by: device, $0) }
        _ = try await register { try proposal("Phone", by: device, $0) }
        let old = try #require(answer.message.dispatchTarget?.id)
        let change = DeviceChange(server.claims(old, .changeDevice, naming: device.id.text), targetIDs: [old])
        try await server.services.devices.change(
            device.id.text, signed: device.signed(change), client: ClientContext())
        let heir = try #require(try await server.services.targets.targets(ofUserNamed: "jeff").first)
        #expect(heir.name.text == "Phone (2)")
        let credentials = try await server.services.users.credentials(of: user)
        #expect(credentials.count == 2 && credentials.allSatisfy { $0.targetID == heir.id })
    }

    @Test("What an administrator removes leaves the target, so that the device can find out")
    func administratorsRemoval() async throws {
        let (answer, phone) = try await register { try proposal("Phone", by: device, $0) }
        let id = try #require(answer.message.dispatchTarget?.id)
        try await server.services.users.remove([try #require(phone.credential)], ofUserNamed: "jeff")
        #expect(try await server.services.targets.targets(ofUserNamed: "jeff").map(\.id.text) == [id])
    }
}
