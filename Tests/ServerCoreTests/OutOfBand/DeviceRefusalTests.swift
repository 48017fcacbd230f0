import BackendAPI
import ServerCore
import TestSupport
import Testing

@Suite("Device requests: refused signatures are in the audit, and cannot fill it")
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
        try await stage.server.auditTexts().filter { $0.contains("JWS_REJECTED") }
    }

    @Test("SRV-13: A forged signature is recorded with the target it names, its user and who sent it")
    func forged() async throws {
        #expect(await refusal(of: try token(SyntheticDevice())) == .signatureInvalid)
        let record = try #require(try await rejections().first)
        for text in ["signatureInvalid", stage.target, "jeff", "192.0.2.1"] { #expect(record.contains(text)) }
        #expect(await refusal(of: try token()) == nil)
        #expect(try await rejections().count == 1, "what holds is not recorded as refused")
    }

    @Test("SRV-13: A wrong clock, an unreadable token and an unknown target are recorded by their reason")
    func reasons() async throws {
        let early = try token()
        stage.server.clock.advance(by: .seconds(301))
        #expect(await refusal(of: early) == .clockSkewTooBig)
        #expect(await refusal(of: "a.b.c") == .malformedRequest)
        #expect(await refusal(of: try token(naming: "AAAAAAAAAAAAAAAAAAAAAA")) == .signatureInvalid)
        let records = try await rejections()
        for (record, reason) in zip(records, ["clockSkewTooBig", "malformed", "signatureInvalid"]) {
            #expect(record.contains(reason))
        }
        #expect(records.count == 3)
    }

    @Test("A change of a target with a forged signature is recorded, too, and a replay once")
    func otherServices() async throws {
        let server = stage.server
        let change = DispatchTargetChange(
            server.claims(stage.target, .changeDispatchTarget, naming: stage.target), name: DeviceName("Mine"))
        await #expect(throws: ServerError.signatureInvalid) {
            try await server.services.targets.change(
                stage.target, signed: SyntheticDevice().signed(change), client: ClientContext())
        }
        #expect(try await rejections().count == 1)
        let good = try token()
        #expect(await refusal(of: good) == nil)
        #expect(await refusal(of: good) == .requestReplayed)
        #expect(try await rejections().count == 2)
    }

    @Test("S-M5: Who forges again and again gets ten records; the rest is summed up when the window is over")
    func flood() async throws {
        let forged = try token(SyntheticDevice())
        for _ in 0..<50 { _ = await refusal(of: forged) }
        for _ in 0..<500 { _ = await refusal(of: "a.b.c") }
        #expect(try await rejections().count == 10)
        await stage.server.services.maintain()
        #expect(try await rejections().count == 10, "the window is not over")
        stage.server.clock.advance(by: .seconds(600))
        await stage.server.services.maintain()
        #expect(try await rejections().last?.contains("540 more from 1 sources without a record") == true)
        await stage.server.services.maintain()
        #expect(try await rejections().count == 11, "it is told once")
        #expect(await refusal(of: try token()) == nil, "the device itself is not kept out")
    }

    @Test("S-M5: A hundred and more junk signatures by strangers use up no place of what a known key has signed")
    func strangers() async throws {
        let late = try token()
        stage.server.clock.advance(by: .seconds(301))
        for number in 0..<150 { _ = await refusal(of: "a.b.c", from: "198.51.100.\(number)") }
        #expect(try await rejections().count == 100)
        #expect(await refusal(of: late, from: "198.51.100.7") == .clockSkewTooBig)
        #expect(try await rejections().count == 101)
        #expect(try await rejections().last?.contains("clockSkewTooBig") == true)
        for _ in 0..<20 { _ = await refusal(of: late) }
        #expect(try await rejections().count == 110, "ten records for one device")
    }

    @Test("A refusal stays a refusal when its record cannot be written")
    func failingDatabase() async throws {
        let forged = try token(SyntheticDevice())
        stage.server.database.set { $0.failsCommits = true }
        #expect(await refusal(of: forged) == .signatureInvalid)
    }
}
