import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAFService

@Suite("Device requests: refusals are counted, and cannot fill the audit")
struct DeviceRefusalTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    /// Asks with a token; returns the refusal.
    private func refusal(of token: String, from address: String = "192.0.2.1") async -> ServerError? {
        do throws(ServerError) {
            _ = try await stage.server.services.devices.credentials(
                of: stage.device.id.text, signed: token,
                client: ClientContext(address: address))
            return nil
        } catch {
            return error
        }
    }

    private func token(_ device: SyntheticDevice? = nil, naming target: String? = nil) throws -> String {
        let claims = stage.server.claims(
            target ?? stage.target, .deviceCredentials, naming: stage.device.id.text, requestID: "r")
        return try (device ?? stage.device).signed(DeviceRequest(claims))
    }

    private func rejections() async throws -> [String] {
        try await stage.server.auditTexts().filter { $0.contains("DEVICE_REQUEST_") }
    }

    @Test("SRV-13: What a known key has signed and is refused is recorded with its target, user and sender")
    func late() async throws {
        let late = try token()
        stage.server.clock.advance(by: .seconds(301))
        #expect(await refusal(of: late) == .clockSkewTooBig)
        let record = try #require(try await rejections().first)
        for text in ["DEVICE_REQUEST_CLOCK_SKEW", "clockSkewTooBig", stage.target, "jeff", "192.0.2.1"] {
            #expect(record.contains(text))
        }
        #expect(await refusal(of: try token()) == nil)
        #expect(try await rejections().count == 1, "what holds is not recorded as refused")
    }

    @Test("SRV-13: Requests that are signed well but misdirected or malformed have an audit kind for each cause")
    func causes() async throws {
        let device = stage.device.id.text
        let other = stage.server.claims(stage.target, .pendingOperations, naming: device, requestID: "r")
        #expect(await refusal(of: try stage.device.signed(DeviceRequest(other))) == .signatureInvalid)
        let change = stage.server.claims(stage.target, .changeDevice, naming: device, requestID: "s")
        await #expect(throws: ServerError.malformedRequest) {
            try await stage.server.services.devices.change(
                device, signed: stage.device.signed(DeviceRequest(change)), client: ClientContext())
        }
        let records = try await rejections()
        #expect(records.count == 2)
        #expect(records.first?.contains("DEVICE_REQUEST_MISDIRECTED") == true)
        #expect(records.last?.contains("DEVICE_REQUEST_MALFORMED") == true)
    }

    @Test("S-H6: A forged signature, an unreadable token and an unknown target have no record; they are counted")
    func reasons() async throws {
        #expect(await refusal(of: try token(SyntheticDevice())) == .signatureInvalid)
        #expect(await refusal(of: "a.b.c") == .malformedRequest)
        #expect(await refusal(of: try token(naming: "AAAAAAAAAAAAAAAAAAAAAA")) == .signatureInvalid)
        #expect(try await rejections().isEmpty)
        let summary = try #require(try await stage.server.countedRefusals())
        for text in ["3 refusals", "device request: signatureInvalid 2", "device request: malformed 1", "192.0.2.1 3"] {
            #expect(summary.contains(text))
        }
    }

    @Test("S-H6: A change of a target with a forged signature is counted, too, and so is a replay")
    func otherServices() async throws {
        let server = stage.server
        let change = DispatchTargetChange(
            server.claims(stage.target, .changeDispatchTarget, naming: stage.target), name: DeviceName("Mine"))
        await #expect(throws: ServerError.signatureInvalid) {
            try await server.services.targets.change(
                stage.target, signed: SyntheticDevice().signed(change), client: ClientContext())
        }
        let good = try token()
        #expect(await refusal(of: good) == nil)
        let before = try await server.auditKinds().count
        for _ in 0..<20 { #expect(await refusal(of: good) == .requestReplayed) }
        #expect(try await server.auditKinds().count == before)
        let summary = try #require(try await server.countedRefusals())
        #expect(summary.contains("21 refusals") && summary.contains("device request: replayed 20"))
    }

    @Test("S-H6: Who forges again and again makes one record, when the window is over")
    func flood() async throws {
        let before = try await stage.server.auditKinds().count
        let forged = try token(SyntheticDevice())
        for _ in 0..<50 { _ = await refusal(of: forged) }
        for _ in 0..<500 { _ = await refusal(of: "a.b.c") }
        #expect(try await stage.server.auditKinds().count == before)
        #expect(try await stage.server.countedRefusals()?.contains("550 refusals in 600 s from 1 sources") == true)
        await stage.server.services.maintain()
        #expect(try await stage.server.auditKinds().count == before + 1, "it is told once")
        #expect(await refusal(of: try token()) == nil, "the device itself is not kept out")
    }

    @Test("S-M5: A hundred and more junk signatures by strangers use up no place of what a known key has signed")
    func strangers() async throws {
        let late = try token()
        stage.server.clock.advance(by: .seconds(301))
        for number in 0..<150 { _ = await refusal(of: "a.b.c", from: "198.51.100.\(number)") }
        #expect(try await rejections().isEmpty)
        #expect(await refusal(of: late, from: "198.51.100.7") == .clockSkewTooBig)
        #expect(try await rejections().last?.contains("clockSkewTooBig") == true)
        for _ in 0..<20 { _ = await refusal(of: late) }
        #expect(try await rejections().count == 10, "ten records for one device")
        let summary = try #require(try await stage.server.countedRefusals())
        #expect(summary.contains("171 refusals") && summary.contains("device \(stage.target) 21"))
    }

    @Test("A refusal stays a refusal when its record cannot be written")
    func failingDatabase() async throws {
        let forged = try token(SyntheticDevice())
        stage.server.database.set { $0.failsCommits = true }
        #expect(await refusal(of: forged) == .signatureInvalid)
    }
}
