import BackendAPI
import Foundation
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication

@Suite("Nothing secret leaves through logs, errors and descriptions")
struct SecrecyTests {
    private static let canaries = ["482915", "913746", "canary.token.value", "canarycookie"]

    @Test("A run through all operations with every message kept shows no PIN, token or cookie")
    func logs() async throws {
        let logger = KeptLog()
        let phone = try await TestPhone(logger: logger)
        try await phone.register()
        phone.backend.script {
            $0.tokens = [Token(type: .jwt, value: "canary.token.value")]
            $0.cookies = ["session=canarycookie; Path=/"]
        }
        let issued = try await phone.authenticate(pins: ["482915"])
        #expect(issued is JwtAuthorizationProvider)
        phone.backend.script { $0.faults["/uaf/1.1/authentication/"] = .uafStatus(.unacceptableContent) }
        var errors: [any Error] = []
        do { _ = try await phone.authenticate(pins: ["913746"]) } catch { errors.append(error) }
        do { _ = try await phone.authenticate(pins: ["482915"]) } catch { errors.append(error) }
        #expect(errors.count == 2)
        let texts = logger.lines + errors.map { "\($0) \($0.localizedDescription)" } + ["\(issued as Any)"]
        for canary in Self.canaries { #expect(!texts.contains { $0.contains(canary) }) }
        #expect(!logger.lines.isEmpty)
    }

    @Test("A token, a push token and digits of another screen stand in no message and no error")
    func outOfBand() async throws {
        let canaries = ["canary-token", "canary-push", "73"]
        let logger = KeptLog()
        let phone = try await TestPhone(logger: logger)
        let user = await TestUser(pins: ["482915"])
        try await phone.registration("jeff", user)
            .deviceInformation(DeviceInformation(name: "phone", fcmRegistrationToken: canaries[1])).perform()
        let content = OutOfBandContent(
            token: canaries[0], redeemURL: ScriptedBackend.address + "/token/redeem/authentication",
            channelLinking: .compare(canaries[2]))
        let payload = OutOfBandPayload(OutOfBandEnvelope(.plain(content)))
        var texts = ["\(payload)", "\(payload.redeemData)"]
        do { _ = try await phone.client.operations.outOfBandOperation.payload(payload).perform() } catch {
            texts.append("\(error) \(error.localizedDescription)")
        }
        phone.backend.script { $0.devices.records[0].destination = .disabledByUser }
        let check = await phone.client.operations.deviceInformationCheck.perform()
        texts += check.mismatches.map { "\($0) \($0.explanation)" }
        #expect(texts.count == 4)
        for canary in canaries { #expect(!(texts + logger.lines).contains { $0.contains(canary) }) }
    }

    @Test("Secret bytes have no description")
    func secretBytes() {
        var dumped = ""
        dump(SecretBytes("482915"), to: &dumped)
        #expect(!dumped.contains("482915"))
        #expect(!"\(SecretBytes("482915"))".contains("482915"))
    }

    @Test("A redacted field says only that it is there")
    func redaction() {
        #expect(SDKLogField.redacted("username").description == "username=<redacted>")
        #expect(SDKLogField.open("code", 3).description == "code=3")
    }

    @Test("Levels of messages are described by their names")
    func levels() {
        let levels: [SDKLogLevel] = [.debug, .notice, .warning, .fault]
        #expect(levels.map(\.description) == ["debug", "notice", "warning", "fault"])
    }
}
