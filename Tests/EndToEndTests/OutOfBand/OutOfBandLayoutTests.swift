import BackendAPI
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing

@Suite(
    "Phones that know their server by another address, or know several", .serialized,
    .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct OutOfBandLayoutTests {
    @Test("Under the addresses of an Authentication Cloud, and of a server of one's own, everything goes the same way")
    func layouts() async throws {
        let stage = try await OutOfBandStage(users: ["anna", "bert"])
        let host = "127.0.0.1:\(stage.installation.server.port)"
        let own = try #require(URL(string: "https://\(host)/nevisfido/"))
        let layouts = [
            ("anna", Configuration(authCloudHostname: host)), ("bert", Configuration(baseUrl: own)),
        ]
        for (user, configuration) in layouts {
            let phone = try await stage.phone("phone-of-\(user)", .init(configuration: configuration))
            let person = ScriptedUser(pin: Installation.pin)
            let link = try #require(try await stage.portal.register(user, by: .link).dispatcherInformation).response
            try await phone.operations.authCloudApiRegistration.appLinkUri(link)
                .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(person).pinEnroller(person)
                .perform()
            let target = try phone.target(of: user)
            let answer = try await stage.portal.authenticate(user, at: target, by: .link)
            #expect(await phone.operations.pendingOutOfBandOperations.perform().operations.count == 1)
            try await phone.answer(try phone.payload(scanning: try answer.linked()), by: person)
            #expect(try await stage.portal.status(try #require(answer.sessionID)).status == .succeeded)
            try await phone.operations.deviceInformationChange.name("renamed").perform()
            let check = await phone.operations.deviceInformationCheck.perform()
            #expect(check.errors.isEmpty && check.mismatches.isEmpty)
            try await phone.operations.deregistration.username(user)
                .authorizationProvider(JwsAuthorizationProvider()).perform()
            #expect(phone.users.isEmpty)
        }
    }

    @Test("A phone with accounts at two servers asks both, changes both, and hears one when the other is away")
    func severalServers() async throws {
        let first = try await OutOfBandStage(users: ["anna"])
        let second = try await OutOfBandStage(users: ["bert"])
        var phone: OutOfBandPhone? = try await first.registered("anna").phone
        let targetOfAnna = try #require(try phone?.target(of: "anna"))
        phone = nil
        // The same application after an update that points it to the second server.
        let traits = OutOfBandStage.PhoneTraits(others: [first], keeper: first)
        let both = try await second.phone("phone", traits)
        let user = ScriptedUser(pin: Installation.pin)
        let code = try await second.portal.register("bert", by: .pngQRCode).scanned()
        try await both.register(scanning: code, DeviceInformation(name: "ignored"), by: user)
        #expect(both.users.sorted() == ["anna", "bert"])

        let early = try await first.portal.authenticate("anna", at: targetOfAnna, by: .link)
        let late = try await second.portal.authenticate("bert", at: try both.target(of: "bert"), by: .link)
        let pending = await both.operations.pendingOutOfBandOperations.perform()
        #expect(pending.errors.isEmpty && pending.operations.count == 2)
        for operation in pending.operations { try await both.answer(operation.payload, by: user) }
        #expect(try await first.portal.status(try #require(early.sessionID)).status == .succeeded)
        #expect(try await second.portal.status(try #require(late.sessionID)).status == .succeeded)

        try await both.operations.deviceInformationChange.name("both").perform()
        #expect(try await first.portal.targets(of: "anna").map(\.name.text) == ["both"])
        #expect(try await second.portal.targets(of: "bert").map(\.name.text) == ["both"])
        let check = await both.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && check.mismatches.isEmpty)

        try await Administration(of: second.installation.server).rename(try both.target(of: "bert"), to: "other")
        await first.stop()
        let half = await both.operations.deviceInformationCheck.perform()
        #expect(half.errors.count == 1 && half.mismatches.count == 1)
        #expect(half.errors.first?.server?.baseUrl.port == first.installation.server.port)
        #expect(half.mismatches.first?.server.baseUrl.port == second.installation.server.port)
    }
}
