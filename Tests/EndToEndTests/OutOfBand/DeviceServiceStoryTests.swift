import BackendAPI
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing

@Suite(
    "A phone that keeps in step with its server, over TLS", .serialized,
    .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct DeviceServiceStoryTests {
    // MARK: - Change

    @Test("A phone is renamed, switches push messages off and on again; a name that is taken is refused")
    func change() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        _ = try await stage.registered("anna", "tablet")

        try await phone.operations.deviceInformationChange.name("Anna's new phone").perform()
        #expect(phone.information?.name == "Anna's new phone")
        #expect(try await stage.portal.targets(of: "anna").map(\.name.text).contains("Anna's new phone"))
        await #expect {
            try await phone.operations.deviceInformationChange.name("tablet").perform()
        } throws: { error in if case DeviceInformationChangeError.NameAlreadyExists = error { true } else { false } }
        #expect(phone.information?.name == "Anna's new phone")

        try await phone.operations.deviceInformationChange.disablePushNotifications().perform()
        let off = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(off.result == .dispatchError && off.token == nil)
        #expect(phone.information?.fcmRegistrationToken == nil)
        #expect(await phone.operations.deviceInformationCheck.perform().mismatches.isEmpty)

        try await phone.operations.deviceInformationChange.fcmRegistrationToken(token).perform()
        let on = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(on.result == .dispatched)
    }

    @Test("A phone whose clock is ten minutes wrong is told so, whichever way it is wrong", arguments: [-600, 600])
    func clock(error seconds: Int64) async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        var phone: OutOfBandPhone? = try await stage.registered("anna").phone
        #expect(await phone?.operations.deviceInformationCheck.perform().errors.isEmpty == true)
        phone = nil
        let wrong = try await stage.phone("phone", .init(clock: ShiftedClock(seconds: seconds)))
        await #expect {
            try await wrong.operations.deviceInformationChange.name("other").perform()
        } throws: { error in if case DeviceInformationChangeError.ClockSkewTooBig = error { true } else { false } }
        let errors = await wrong.operations.deviceInformationCheck.perform().errors
        #expect(errors.count == 1)
        guard case .ClockSkewTooBig? = errors.first else {
            Issue.record("\(errors)")
            return
        }
        // A further authenticator proves the record that is there, which needs the time; the first one did not.
        let code = try await stage.portal.register("anna", by: .pngQRCode).scanned()
        await #expect {
            try await wrong.register(
                scanning: code, DeviceInformation(name: "phone"),
                by: ScriptedUser(pin: Installation.pin, authenticator: .Password))
        } throws: { error in if case OperationError.ClockSkewTooBig = error { true } else { false } }
        #expect(wrong.models == ["F1D0#1001"])
    }

    // MARK: - Check and sync

    @Test("What an administrator renames and unsets is found and mended: the phone sends its name and its token")
    func administration() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        let administration = Administration(of: stage.installation.server)
        try await administration.rename(target, to: "Lost phone")
        try await administration.unsetPush(target)

        let check = await phone.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && check.mismatches.count == 2)
        #expect(
            check.mismatches.contains { mismatch in
                guard case .DeviceNameMismatch("Lost phone", "phone", _) = mismatch else { return false }
                return true
            })
        #expect(
            check.mismatches.contains { mismatch in
                guard case .FcmRegistrationTokenMismatch(nil, token, _) = mismatch else { return false }
                return true
            })
        // What is not named stays as it is.
        #expect(await phone.operations.deviceInformationSync.mismatches([]).perform().errors.isEmpty)
        #expect(await phone.operations.deviceInformationCheck.perform().mismatches.count == 2)

        let sync = await phone.operations.deviceInformationSync.mismatches(check.mismatches).perform()
        #expect(sync.errors.isEmpty)
        #expect(phone.information?.name == "phone")
        #expect(await phone.operations.deviceInformationCheck.perform().mismatches.isEmpty)
        let answer = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(answer.result == .dispatched)
    }

    @Test("A credential that only one side has is found, and goes there too once it is named")
    func credentials() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let phone = try await stage.registered("anna").phone
        let administration = Administration(of: stage.installation.server)
        for isRemovedAtServer in [true, false] {
            let code = try await stage.portal.register("anna", by: .pngQRCode).scanned()
            let user = ScriptedUser(pin: Installation.pin, authenticator: .Password)
            try await phone.register(scanning: code, DeviceInformation(name: "phone"), by: user)
            #expect(try await administration.models(of: "anna").sorted() == ["F1D0#1001", "F1D0#1005"])
            if isRemovedAtServer {
                try await administration.removeCredential("F1D0#1005", of: "anna")
            } else {
                try await phone.deleteLocally("F1D0#1005", of: "anna")
            }

            let check = await phone.operations.deviceInformationCheck.perform()
            #expect(check.errors.isEmpty && check.mismatches.count == 1)
            switch check.mismatches.first {
            case .MissingAuthenticatorInServer(_, "F1D0#1005", let account)?:
                #expect(isRemovedAtServer && account.username == "anna")
            case .MissingAuthenticatorInMobileDevice(_, "F1D0#1005", _)?: #expect(!isRemovedAtServer)
            default: Issue.record("\(check.mismatches)")
            }

            let sync = await phone.operations.deviceInformationSync.mismatches(check.mismatches).perform()
            #expect(sync.errors.isEmpty)
            #expect(await phone.operations.deviceInformationCheck.perform().mismatches.isEmpty)
            #expect(phone.models == ["F1D0#1001"])
            #expect(try await administration.models(of: "anna") == ["F1D0#1001"])
        }
    }

    @Test("A record that an administrator removed is forgotten on request, and made anew by the next registration")
    func removedRecord() async throws {
        let stage = try await OutOfBandStage(users: ["anna", "bert"])
        let (phone, target) = try await stage.registered("anna")
        let administration = Administration(of: stage.installation.server)
        try await administration.removeTarget(target)
        // No key is left to sign for this phone.
        let silent = await phone.operations.deviceInformationCheck.perform()
        #expect(silent.mismatches.isEmpty && silent.errors.count == 1)
        guard case .Forbidden? = silent.errors.first else {
            Issue.record("\(silent.errors)")
            return
        }
        // Another account of the phone speaks for it.
        let user = ScriptedUser(pin: Installation.pin)
        try await phone.register(
            scanning: try await stage.portal.register("bert", by: .pngQRCode).scanned(),
            DeviceInformation(name: "phone"), by: user)
        let check = await phone.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && check.mismatches.count == 1)
        guard case .MissingDeviceInformationInServer(let pair, _)? = check.mismatches.first else {
            Issue.record("\(check.mismatches)")
            return
        }
        #expect(pair.identifier == target && pair.username == "anna")
        let sync = await phone.operations.deviceInformationSync.mismatches(check.mismatches).perform()
        #expect(sync.errors.isEmpty)
        #expect(await phone.operations.deviceInformationCheck.perform().mismatches.isEmpty)
        #expect(phone.users.sorted() == ["anna", "bert"])

        let password = ScriptedUser(pin: Installation.pin, authenticator: .Password)
        try await phone.register(
            scanning: try await stage.portal.register("anna", by: .pngQRCode).scanned(),
            DeviceInformation(name: "phone"), by: password)
        #expect(try await stage.portal.targets(of: "anna").count == 1)
        let after = await phone.operations.deviceInformationCheck.perform()
        #expect(after.errors.isEmpty && after.mismatches.isEmpty, "\(after.mismatches)")
    }

    // MARK: - Deregistration

    @Test("The phone takes itself off the server with its own signature, and leaves other phones and users alone")
    func deregistration() async throws {
        let stage = try await OutOfBandStage(users: ["anna", "bert"])
        let (phone, target) = try await stage.registered("anna")
        _ = try await stage.registered("anna", "tablet")
        try await phone.register(
            scanning: try await stage.portal.register("bert", by: .pngQRCode).scanned(),
            DeviceInformation(name: "phone"), by: ScriptedUser(pin: Installation.pin))

        try await phone.operations.deregistration.username("anna").authorizationProvider(JwsAuthorizationProvider())
            .perform()
        #expect(phone.users == ["bert"])
        #expect(try await stage.portal.targets(of: "anna").map(\.name.text) == ["tablet"])
        let gone = try await stage.portal.authenticate("anna", at: target, by: .link)
        #expect(gone.result == .dispatchTargetNotFound)
        #expect(await phone.operations.deviceInformationCheck.perform().mismatches.isEmpty)

        try await phone.operations.deregistration.username("bert").authorizationProvider(JwsAuthorizationProvider())
            .perform()
        #expect(phone.users.isEmpty && phone.information == nil)
        await #expect {
            _ = try await stage.portal.targets(of: "bert")
        } throws: { error in (error as? Portal.Refusal)?.status == 404 }
        let check = await phone.operations.deviceInformationCheck.perform()
        #expect(check.mismatches.isEmpty && check.errors.isEmpty)
    }
}
