import BackendAPI
import JOSE
import Octets
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Device requests: signature, addressee, time and replay (backend-http-api 4.1)")
struct DeviceRequestTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var devices: DeviceService { stage.server.services.devices }

    private func read(_ token: String, as device: SyntheticDevice? = nil) async throws -> DeviceCredentials {
        let device = device ?? stage.device
        let sealed = try await devices.credentials(of: device.id.text, signed: token, client: ClientContext())
        return try DeviceCredentials(body: stage.device.opened(sealed))
    }

    private func claims(_ requestID: String = "request-1") -> DeviceClaims {
        stage.server.claims(
            stage.target, .deviceCredentials, naming: stage.device.id.text, requestID: requestID)
    }

    @Test("SRV-13: A device reads what the server knows of it, sealed for it alone")
    func read() async throws {
        let answer = try await read(stage.device.signed(DeviceRequest(claims())))
        #expect(answer.requestID == "request-1" && answer.deviceID == stage.device.id)
        #expect(answer.accounts.map(\.username.text) == ["jeff"])
        #expect(answer.accounts.first?.target?.id == stage.target)
    }

    @Test("A device is told of the user's credentials that belong to no device, and of no other user's")
    func unassigned() async throws {
        let eve = try await stage.server.services.users.add(name: "eve")
        try await stage.server.register(SyntheticAuthenticator(), for: eve)
        let answer = try await read(stage.device.signed(DeviceRequest(claims())))
        let own = try #require(stage.phone.credential)
        #expect(answer.accounts.map(\.unassigned) == [[own]])
        #expect(answer.accounts.flatMap(\.credentials).isEmpty)
    }

    @Test("SRV-13: The same request a second time is a replay")
    func replay() async throws {
        let token = try stage.device.signed(DeviceRequest(claims()))
        _ = try await read(token)
        await #expect(throws: ServerError.requestReplayed) { try await read(token) }
        _ = try await read(stage.device.signed(DeviceRequest(claims("request-2"))))
        #expect(try await stage.server.countedRefusals()?.contains("device request: replayed 1") == true)
    }

    @Test("SRV-13: Of fifty equal requests at the same time one is answered")
    func parallelReplay() async throws {
        let token = try stage.device.signed(DeviceRequest(claims()))
        let (devices, id) = (devices, stage.device.id.text)
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let answer = try? await devices.credentials(of: id, signed: token, client: ClientContext())
                    return answer != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answered == 1)
    }

    @Test(
        "SRV-13: A clock is tolerated 5 min behind and 2 min ahead, no more",
        arguments: [(-300_000, true), (-300_001, false), (120_000, true), (120_001, false)])
    func clock(skew: Int64, isAccepted: Bool) async throws {
        let now = claims()
        let claims = DeviceClaims(
            dispatchTargetID: now.dispatchTargetID, requestID: "r", creationTime: now.creationTime + skew,
            audience: now.audience, method: now.method)
        let token = try stage.device.signed(DeviceRequest(claims))
        if isAccepted {
            _ = try await read(token)
        } else {
            await #expect(throws: ServerError.clockSkewTooBig) { try await read(token) }
        }
    }

    @Test("SRV-13: Another device's signature does not hold, and does not tell of a wrong clock")
    func foreignSignature() async throws {
        let other = try SyntheticDevice()
        await #expect(throws: ServerError.signatureInvalid) { try await read(other.signed(DeviceRequest(claims()))) }
        stage.server.clock.advance(by: .seconds(-4000))
        let old = DeviceRequest(claims())
        stage.server.clock.advance(by: .seconds(4000))
        await #expect(throws: ServerError.signatureInvalid) { try await read(other.signed(old)) }
        _ = try await read(stage.device.signed(DeviceRequest(claims())))
    }

    @Test("SRV-13: A target that is not there looks like a wrong signature")
    func unknownTarget() async throws {
        let unknown = Base64URL.encode([UInt8](repeating: 1, count: 16))
        for target in [unknown, "x", ""] where !target.isEmpty {
            let claims = stage.server.claims(target, .deviceCredentials, naming: stage.device.id.text)
            await #expect(throws: ServerError.signatureInvalid) {
                try await read(stage.device.signed(DeviceRequest(claims)))
            }
        }
    }

    @Test("SRV-13: A request for another path, method, host or for no user is refused")
    func addressee() async throws {
        let good = claims()
        let audience = try #require(good.audience)
        let wrong: [(String?, Endpoint.Method?)] = [
            (audience + "2", .get), (audience, .delete), ("https://evil.example/nevisfido", .get), (nil, .get),
            (audience, nil), (nil, nil),
        ]
        for (audience, method) in wrong {
            let claims = DeviceClaims(
                dispatchTargetID: good.dispatchTargetID, requestID: "r", creationTime: good.creationTime,
                audience: audience, method: method)
            await #expect(throws: ServerError.signatureInvalid) {
                try await read(stage.device.signed(DeviceRequest(claims)))
            }
        }
        let cloud = DeviceClaims(
            dispatchTargetID: good.dispatchTargetID, requestID: "r", creationTime: good.creationTime,
            audience: TestServer.origin + "/_app" + Endpoint.deviceCredentials.path(naming: stage.device.id.text),
            method: .get)
        _ = try await read(stage.device.signed(DeviceRequest(cloud)))
    }

    @Test("SRV-13: The compatibility switch lets reading leave the addressee out, deleting never")
    func compatibility() async throws {
        let lenient = try await OutOfBandStage { $0.outOfBand.requiresAudience = false }
        let bare = DeviceClaims(
            dispatchTargetID: lenient.target, requestID: "r",
            creationTime: lenient.server.clock.now().milliseconds, audience: nil, method: nil)
        let token = try lenient.device.signed(DeviceRequest(bare))
        let (devices, id) = (lenient.server.services.devices, lenient.device.id.text)
        await #expect(throws: ServerError.signatureInvalid) {
            try await devices.remove(id, signed: token, client: ClientContext())
        }
        _ = try await devices.credentials(of: id, signed: token, client: ClientContext())
    }

    @Test("SRV-13: Device A cannot act for B, whatever it signs")
    func crossDevice() async throws {
        let server = stage.server
        let other = try SyntheticDevice("org.signet.demo#2")
        let eve = try await server.services.users.add(name: "eve")
        let foreign = try await server.addTarget(of: eve, on: other)
        let id = stage.device.id.text
        let asOther = server.claims(foreign, .deviceCredentials, naming: id)
        await #expect(throws: ServerError.signatureInvalid) { try await read(other.signed(DeviceRequest(asOther))) }
        let stolen = server.claims(stage.target, .deviceCredentials, naming: id)
        await #expect(throws: ServerError.signatureInvalid) { try await read(other.signed(DeviceRequest(stolen))) }
        let deletion = server.claims(foreign, .deleteDevice, naming: id)
        await #expect(throws: ServerError.signatureInvalid) {
            try await devices.remove(id, signed: other.signed(DeviceRequest(deletion)), client: ClientContext())
        }
        let change = DeviceChange(
            server.claims(foreign, .changeDevice, naming: other.id.text), targetIDs: [stage.target])
        await #expect(throws: ServerError.targetUnknown) {
            try await devices.change(other.id.text, signed: other.signed(change), client: ClientContext())
        }
        #expect(try await server.services.targets.targets(ofUserNamed: "jeff").count == 1)
    }

    @Test("SRV-13, A-14: Tampered, unsigned and otherwise signed tokens are refused")
    func tampered() async throws {
        let token = try stage.device.signed(DeviceRequest(claims()))
        let parts = token.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let hmac = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
        let forged = [
            "\(none).\(parts[1]).", "\(hmac).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1])", "",
            "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))",
            try stage.device.signed(DeviceRequest(claims()), algorithm: .rs256),
        ]
        for token in forged {
            await #expect(throws: ServerError.self) { try await read(token) }
        }
        _ = try await read(token)
    }

    @Test("A removed target signs nothing any more")
    func removed() async throws {
        try await stage.server.services.removeDevice(stage.target)
        await #expect(throws: ServerError.signatureInvalid) {
            try await read(stage.device.signed(DeviceRequest(claims())))
        }
    }
}
