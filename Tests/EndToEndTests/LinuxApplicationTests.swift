import CommandSupport
import DemoCommands
import Foundation
import HardwareKeys
import HardwareKeysTPM
import MobileAuthentication
import TestSupport
import Testing

@Suite("An application on Linux, through the public surface", .serialized)
struct LinuxApplicationTests {
    private static let settings = "authorization: {registration: none}\n"

    @Test(
        "With its keys in a TPM it registers and signs in under the models for a chip, and finds its keys again",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let installation = try Installation(settings: Self.settings)
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let folder = installation.scratch.url.appending(path: "application")
        let source = TrustedPlatformModule(chip.connection)
        let application = try await LinuxApplication(in: folder, keysFrom: source, for: [installation])
        #expect(application.client.deviceCapabilities.keyProtection == .tpm)
        #expect(Set(application.client.localData.authenticators.map(\.aaid)).contains("FFFF#2001"))
        try await application.register("anna")
        let again = try await LinuxApplication(in: folder, keysFrom: source, for: [installation])
        try await again.authenticate("anna")
        let registered = again.client.localData.authenticators.filter { !$0.registration.registeredAccounts.isEmpty }
        #expect(registered.map(\.aaid) == ["FFFF#2001"])
        // Neither other keys nor none are taken in their place.
        await #expect(throws: InitializationError.self) {
            try await LinuxApplication(
                in: folder, keysFrom: TrustedPlatformModule?.none, for: [installation])
        }
        chip.kill()
        try await expectHardwareError(in: folder, source, installation)
    }

    @Test("Where the chip is not there, and where nothing was chosen, it ends with HardwareError and makes nothing")
    func noChip() async throws {
        let installation = try Installation(settings: Self.settings)
        let server = try await installation.server.start()
        defer { server.kill() }
        let folder = installation.scratch.url.appending(path: "application")
        try await expectHardwareError(in: folder, TrustedPlatformModule(TPMConnection("device:/nowhere")), installation)
        let error = await #expect(throws: InitializationError.self) {
            try await LinuxApplication.initializer(in: folder, for: [installation]).perform()
        }
        guard case .HardwareError? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "credentials.sst").path()))
    }

    @Test("With software keys it says so: other models, and a warning in what the client can tell")
    func software() async throws {
        let installation = try Installation(settings: Self.settings)
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let application = try await LinuxApplication(
            in: installation.scratch.url.appending(path: "application"), keysFrom: TrustedPlatformModule?.none,
            for: [installation])
        #expect(application.client.deviceCapabilities.keyProtection == .software)
        try await application.register("anna")
        try await application.authenticate("anna")
        let registered = application.client.localData.authenticators.filter { $0.registration.isRegistered("anna") }
        #expect(registered.map(\.aaid) == ["FFFF#2101"])
    }

    @Test("A name that is no reverse domain name is a mistake that is named", arguments: [true, false])
    func applicationID(isEmpty: Bool) async throws {
        let installation = try Installation(settings: Self.settings)
        let server = try await installation.server.start()
        defer { server.kill() }
        let initializer = try LinuxApplication.initializer(
            in: installation.scratch.url.appending(path: "application"), for: [installation]
        ).keyVault(.software)
        let profile: ClientProfile =
            isEmpty ? .linux(applicationID: "") : .linux(applicationID: "org.example/bank")
        let error = await #expect(throws: InitializationError.self) {
            try await initializer.profile(profile).perform()
        }
        #expect(error?.cause as? InvalidParameterError == InvalidParameterError("applicationID"))
    }

    // MARK: - Several servers

    @Test("One installation serves accounts of two servers, each with its own server and none with the other's")
    func twoServers() async throws {
        let (first, second) = (try Installation(settings: Self.settings), try Installation(settings: Self.settings))
        let processes = [try await first.server.start(), try await second.server.start()]
        defer { for process in processes { process.kill() } }
        try await first.server.addUser("anna", password: Installation.password)
        for name in ["anna", "ben"] { try await second.server.addUser(name, password: Installation.password) }
        let application = try await LinuxApplication(
            in: first.scratch.url.appending(path: "application"), keysFrom: TrustedPlatformModule?.none,
            for: [first, second])
        let other = try LinuxApplication.address(of: second)
        try await application.register("anna")
        try await application.register("ben", at: other)
        let data = application.client.localData
        #expect(data.accounts.map(\.username) == ["anna", "ben"])
        #expect(data.accounts.map(\.server.baseUrl) == [try LinuxApplication.address(of: first), other])
        #expect(data.deviceInformation?.idUsernamePairs.map(\.username) == ["anna", "ben"])
        // The user names no server when he signs in; with the second one gone only its account is out of reach.
        try await application.authenticate("ben")
        let error = await #expect(throws: OperationError.self) { try await application.register("anna", at: other) }
        guard case .UserAlreadyRegisteredInAnotherServer? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        processes[1].kill()
        try await application.authenticate("anna")
        await #expect(throws: AuthenticationError.self) { try await application.authenticate("ben") }
        #expect(data.accounts.map(\.username) == ["anna", "ben"])
    }

    private func expectHardwareError(
        in folder: URL, _ source: TrustedPlatformModule, _ installation: Installation
    ) async throws {
        let error = await #expect(throws: InitializationError.self) {
            try await LinuxApplication(in: folder, keysFrom: source, for: [installation])
        }
        guard case .HardwareError(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause as? KeyVaultError == .hardwareUnavailable)
    }
}
