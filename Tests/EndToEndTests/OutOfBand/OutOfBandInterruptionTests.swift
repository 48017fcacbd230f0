import BackendAPI
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing

@Suite(
    "A server that is killed between two steps of an operation out of band", .serialized,
    .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct OutOfBandInterruptionTests {
    private static let user = ScriptedUser(pin: Installation.pin)

    /// The exchange in which the server dies (the token, the facet list, the response), and when in it.
    private static let moments = [1, 2, 3].flatMap { exchange in
        DyingServer.Moment.allCases.map { (exchange, $0) }
    }

    @Test("An authentication ends with a network error; what was accepted stays, the rest is begun again")
    func authentication() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        var phone: OutOfBandPhone? = try await stage.registered("anna").phone
        let target = try #require(try phone?.target(of: "anna"))
        for (exchange, moment) in Self.moments {
            let answer = try await stage.portal.authenticate("anna", at: target, by: .link)
            let (link, session) = (try answer.linked(), try #require(answer.sessionID))
            phone = nil
            phone = try await stage.phone("phone", .init(dyingIn: (exchange, moment)))
            await Self.expectNetworkError {
                try await phone?.answer(try #require(phone?.payload(scanning: link)), by: Self.user)
            }
            try await stage.revive()
            phone = nil
            let revived = try await stage.phone()
            phone = revived
            let status = try await stage.portal.status(session).status
            switch (exchange, moment) {
            case (1, .beforeMessage):
                #expect(status == .tokenCreated)
                try await revived.answer(try revived.payload(scanning: link), by: Self.user)
                #expect(try await stage.portal.status(session).status == .succeeded)
            case (3, .beforeAnswer): #expect(status == .succeeded)
            default:
                #expect(status == .clientAuthenticating)
                await #expect {
                    _ = try await revived.redeem(try revived.payload(scanning: link))
                } throws: { error in
                    if case OutOfBandOperationError.TokenAlreadyRedeemed = error { true } else { false }
                }
            }
            let again = try await stage.portal.authenticate("anna", at: target, by: .link)
            try await revived.answer(try revived.payload(scanning: try again.linked()), by: Self.user)
            #expect(try await stage.portal.status(try #require(again.sessionID)).status == .succeeded)
        }
    }

    @Test("A registration ends with a network error; a new code, or what the server has kept, mends it")
    func registration() async throws {
        for (exchange, moment) in Self.moments {
            let stage = try await OutOfBandStage(users: ["anna"])
            let code = try await stage.portal.register("anna", by: .pngQRCode).scanned()
            var phone: OutOfBandPhone? = try await stage.phone("phone", .init(dyingIn: (exchange, moment)))
            await Self.expectNetworkError {
                try await phone?.register(scanning: code, DeviceInformation(name: "phone"), by: Self.user)
            }
            try await stage.revive()
            phone = nil
            let revived = try await stage.phone()
            let isKept = exchange == 3 && moment == .beforeAnswer
            if isKept {
                // The server has the key: the first request that names it tells the phone so.
                let answer = try await stage.portal.authenticate("anna", by: .link)
                try await revived.answer(try revived.payload(scanning: try answer.linked()), by: Self.user)
            } else {
                let again = try await stage.portal.register("anna", by: .pngQRCode).scanned()
                try await revived.register(scanning: again, DeviceInformation(name: "phone"), by: Self.user)
            }
            #expect(revived.models == ["F1D0#1001"])
            if isKept { try await mend(revived, stage) }
            #expect(try await stage.portal.targets(of: "anna").count == 1)
            let check = await revived.operations.deviceInformationCheck.perform()
            #expect(check.errors.isEmpty && check.mismatches.isEmpty)
        }
    }

    @Test("A user who registers the same way again after a lost answer has two keys at the server until sync")
    func secondTry() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let code = try await stage.portal.register("anna", by: .pngQRCode).scanned()
        var phone: OutOfBandPhone? = try await stage.phone("phone", .init(dyingIn: (3, .beforeAnswer)))
        await Self.expectNetworkError {
            try await phone?.register(scanning: code, DeviceInformation(name: "phone"), by: Self.user)
        }
        try await stage.revive()
        phone = nil
        let revived = try await stage.phone()
        let again = try await stage.portal.register("anna", by: .pngQRCode).scanned()
        try await revived.register(scanning: again, DeviceInformation(name: "phone"), by: Self.user)
        let administration = Administration(of: stage.installation.server)
        #expect(try await administration.models(of: "anna") == ["F1D0#1001", "F1D0#1001"])

        let check = await revived.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && !check.mismatches.isEmpty)
        let sync = await revived.operations.deviceInformationSync.mismatches(check.mismatches).perform()
        #expect(sync.errors.isEmpty)
        #expect(await revived.operations.deviceInformationCheck.perform().mismatches.isEmpty)
        #expect(try await administration.models(of: "anna") == ["F1D0#1001"])
        #expect(try await stage.portal.targets(of: "anna").count == 1)
        let answer = try await stage.portal.authenticate("anna", at: try revived.target(of: "anna"), by: .link)
        try await revived.answer(try revived.payload(scanning: try answer.linked()), by: Self.user)
        #expect(try await stage.portal.status(try #require(answer.sessionID)).status == .succeeded)
    }

    /// The phone does not know its record, whose name got lost with the answer: a further registration makes another
    /// one, and check and sync leave one of both.
    private func mend(_ phone: OutOfBandPhone, _ stage: OutOfBandStage) async throws {
        let code = try await stage.portal.register("anna", by: .pngQRCode).scanned()
        try await phone.register(
            scanning: code, DeviceInformation(name: "phone"),
            by: ScriptedUser(pin: Installation.pin, authenticator: .Password))
        let check = await phone.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && !check.mismatches.isEmpty)
        let sync = await phone.operations.deviceInformationSync.mismatches(check.mismatches).perform()
        #expect(sync.errors.isEmpty)
        // Nothing that works is lost, neither here nor there.
        #expect(phone.models.sorted() == ["F1D0#1001", "F1D0#1005"])
        let kept = try await Administration(of: stage.installation.server).models(of: "anna")
        #expect(kept.sorted() == ["F1D0#1001", "F1D0#1005"])
    }

    private static func expectNetworkError(_ body: () async throws -> Void) async {
        await #expect {
            try await body()
        } throws: { error in
            switch error {
            case OutOfBandOperationError.NetworkError, AuthenticationError.NetworkError, OperationError.NetworkError:
                true
            default: false
            }
        }
    }
}
