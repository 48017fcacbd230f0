import Foundation
import HardwareKeys
import LocalAuthentication
import MobileAuthenticationTestKit
import Security
import Testing

@testable import MobileAuthentication

@Suite("A client on an Apple device, as an application gets it", .serialized)
struct AppleClientTests {
    @Test("D-H3: with nothing chosen the keys lie in the Secure Enclave, and no warning is given")
    func enclave() async throws {
        try await onAppleDevice { _, folder in
            let phone = try await ApplePhone(in: folder)
            #expect(phone.client.deviceCapabilities.keyProtection == .secureEnclave)
            #expect(phone.client.deviceCapabilities.keyVaultWarning == nil)
            try await phone.register("F1D0#1001", secrets: ["482915"])
            let again = try await ApplePhone(in: folder, at: phone.backend)
            try await again.authenticate("F1D0#1001", secrets: ["482915"])
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "device.key").path()))
        }
    }

    @Test("D-H3: without a Secure Enclave no client is made unless software is allowed, and then it says so")
    func noEnclave() async throws {
        try await onAppleDevice { device, folder in
            device.with { $0.hasEnclave = false }
            let error = await #expect(throws: InitializationError.self) { _ = try await ApplePhone(in: folder) }
            guard case .HardwareError(let cause)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(cause as? KeyVaultError == .hardwareUnavailable)
            #expect(error?.recoverySuggestion?.contains("keyVault(.preferHardware)") == true)
            let phone = try await ApplePhone(in: folder) { $0.keys = KeyVaultOpening(origin: .choice(.preferHardware)) }
            #expect(phone.client.deviceCapabilities.keyProtection == .software)
            #expect(phone.client.deviceCapabilities.keyVaultWarning != nil)
        }
    }

    @Test("D-H4: Touch ID and passcode are offered, asked by the system, and sign", arguments: [0, 2])
    func touchID(index: Int) async throws {
        try await expectWholeLife(of: ApplePhone.systemKinds[index], with: .touchID)
    }

    @Test("D-H4: Face ID and passcode are offered, asked by the system, and sign", arguments: [1, 2])
    func faceID(index: Int) async throws {
        try await expectWholeLife(of: ApplePhone.systemKinds[index], with: .faceID)
    }

    private func expectWholeLife(
        of chosen: (kind: AuthenticatorAaid, aaid: String), with sensor: LABiometryType
    ) async throws {
        try await onAppleDevice { device, folder in
            device.install(sensor)
            let phone = try await ApplePhone(in: folder)
            try await phone.register(chosen.aaid)
            try await phone.authenticate(chosen.aaid)
            #expect(device.with { $0.questions.count } == 2)
            #expect(try phone.authenticator(chosen.kind).registration.isRegistered("jeff"))
            device.answer(with: .userCancel)
            let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate(chosen.aaid) }
            #expect(error?.fidoErrorCode == .userCanceled)
        }
    }

    @Test("D-H4: what the device lacks is not offered; what is not set up says so")
    func availability() async throws {
        try await onAppleDevice { device, folder in
            device.with { $0.fingers = [] }
            let phone = try await ApplePhone(in: folder)
            #expect(try phone.authenticator(.Fingerprint).isSupportedByHardware)
            #expect(try !phone.authenticator(.FaceRecognition).isSupportedByHardware)
            let face = await #expect(throws: OperationError.self) { try await phone.register("F1D0#1003") }
            #expect(face?.fidoErrorCode == .noSuitableAuthenticator)
            let finger = await #expect(throws: OperationError.self) { try await phone.register("F1D0#1002") }
            #expect(finger?.fidoErrorCode == .userNotEnrolled)
            device.with { $0.fingers = ["left thumb"] }
            device.with { $0.forbidsBiometry = true }
            #expect(try phone.authenticator(.Fingerprint).isSupportedByHardware)
            #expect(try phone.isEnrolled(.Fingerprint) == false)
        }
    }

    @Test("D-H4: another finger ends the key of the finger, and no other")
    func changedFingers() async throws {
        try await onAppleDevice { device, folder in
            let phone = try await ApplePhone(in: folder)
            try await phone.register("F1D0#1002")
            try await phone.register("F1D0#1004")
            device.with { _ = $0.fingers.insert("left thumb") }
            let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate("F1D0#1002") }
            #expect(error?.fidoErrorCode == .keyDisappearedPermanently)
            #expect(try !phone.authenticator(.Fingerprint).registration.isUsable("jeff"))
            try await phone.authenticate("F1D0#1004")
        }
    }

    // MARK: - The passcode

    private static let everyKind: [(aaid: String, secrets: [String])] = [
        ("F1D0#1001", ["482915"]), ("F1D0#1002", []), ("F1D0#1004", []), ("F1D0#1005", ["correct horse"]),
    ]

    private func registered(in folder: URL) async throws -> ApplePhone {
        let phone = try await ApplePhone(in: folder)
        for (aaid, secrets) in Self.everyKind { try await phone.register(aaid, secrets: secrets) }
        for (aaid, secrets) in Self.everyKind { try await phone.authenticate(aaid, secrets: secrets) }
        return phone
    }

    @Test("D-H4: without a passcode nothing starts and nothing works, and it is said why")
    func noPasscode() async throws {
        try await onAppleDevice { device, folder in
            let phone = try await registered(in: folder)
            device.with { $0.hasPasscode = false }
            let refused = await #expect(throws: AuthenticationError.self) {
                try await phone.authenticate("F1D0#1001", secrets: ["482915"])
            }
            guard case .NoDeviceLockError? = refused else {
                Issue.record("another error: \(String(describing: refused))")
                return
            }
            let noClient = await #expect(throws: InitializationError.self) {
                _ = try await ApplePhone(in: folder, at: phone.backend)
            }
            guard case .NoDeviceLockError? = noClient else {
                Issue.record("another error: \(String(describing: noClient))")
                return
            }
            #expect(phone.client.localData.authenticators.allSatisfy { !$0.registration.isUsable("jeff") })
        }
    }

    @Test("D-H4: a passcode that was removed while the application was away took every key of a user with it")
    func passcodeRemovedMeanwhile() async throws {
        try await onAppleDevice { device, folder in
            let before = try await registered(in: folder)
            device.with { $0.hasPasscode = false }
            device.with { $0.hasPasscode = true }
            let phone = try await ApplePhone(in: folder, at: before.backend)
            for (aaid, secrets) in Self.everyKind {
                let error = await #expect(throws: AuthenticationError.self, "\(aaid)") {
                    try await phone.authenticate(aaid, secrets: secrets)
                }
                #expect(error?.fidoErrorCode == .keyDisappearedPermanently, "\(aaid)")
            }
            // The keys of the device itself live on: it can still ask its server for itself, and registers anew.
            try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
            phone.backend.script { $0.keys = [] }
            try await phone.register("F1D0#1001", secrets: ["482915"])
            try await phone.authenticate("F1D0#1001", secrets: ["482915"])
        }
    }

    // MARK: - What can be read

    @Test("D-M10: what is set up in the system is seen at once, also by what was read before")
    func fresh() async throws {
        try await onAppleDevice { device, folder in
            device.with { $0.fingers = [] }
            let phone = try await ApplePhone(in: folder)
            let held = try phone.authenticator(.Fingerprint).userEnrollment as? OsUserEnrollment
            #expect(try phone.isEnrolled(.Fingerprint) == false)
            #expect(held?.isEnrolled() == false)
            device.with { $0.fingers = ["right thumb"] }
            #expect(try phone.isEnrolled(.Fingerprint) == true)
            #expect(held?.isEnrolled() == true)
            device.with { $0.hasPasscode = false }
            #expect(try phone.isEnrolled(.DevicePasscode) == false)
        }
    }

    @Test("D-L13: the identifier of the device is the same after a reinstallation, and another on another device")
    func deviceID() async throws {
        try await onAppleDevice { _, folder in
            let first = try await identifier(in: folder)
            try FileManager.default.removeItem(at: folder)
            // The container of the application has another path then.
            let elsewhere = folder.deletingLastPathComponent().appending(path: "apple-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: elsewhere) }
            let second = try await identifier(in: elsewhere)
            #expect(second == first)
            try await onAppleDevice { _, folder in
                let other = try await identifier(in: folder)
                #expect(other != first)
            }
        }
    }

    private func identifier(in folder: URL) async throws -> String {
        let phone = try await ApplePhone(in: folder)
        try await phone.register("F1D0#1001", secrets: ["482915"])
        return try #require(phone.client.localData.deviceInformation?.deviceId)
    }
}
