import Authenticators
import Foundation
import MobileAuthentication
import Testing

@testable import DeviceCommands

@Suite("The virtual device")
final class VirtualDeviceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)")
        .path(percentEncoded: false)

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func create(_ family: DeviceFamily = .ios) async throws {
        let application = family == .ios ? "com.example.app" : nil
        try await VirtualDevice.create(
            inDirectory: folder, try DeviceSettings(family, application: application, keys: .software))
    }

    private func open() async throws -> VirtualDevice {
        var surroundings = VirtualDevice.Surroundings()
        let cost = try ScryptCost(rounds: 16, blockSize: 8, parallelism: 1)
        surroundings.secretProtection = SecretProtection(cost: cost, leastRounds: 16)
        let address = try #require(URL(string: "https://server.example"))
        return try await VirtualDevice.open(
            inDirectory: folder, configuration: Configuration(baseUrl: address), surroundings: surroundings)
    }

    @Test(
        "Each family presents its own models and names its application in its own form",
        arguments: [
            (DeviceFamily.ios, "F1D0#1001", "ios:bundle-id:com.example.app"),
            (.android, "F1D0#0001", "android:apk-key-hash:w56fMyf2AmdJPOIAqm1cKTqbo2Q"),
            (.linux, "FFFF#2101", "linux:app-id:org.signet.demo"),
        ])
    func families(family: DeviceFamily, aaid: String, facet: String) async throws {
        try await create(family)
        let device = try await open()
        #expect(device.settings.facetText == facet)
        #expect(device.authenticators.map(\.kind).count == 5)
        #expect(device.aaid(of: .Pin) == aaid)
        #expect(device.authenticators.filter { $0.isSupportedByHardware }.map(\.kind) == [.Pin, .Password])
    }

    @Test("A Linux device with a chip says so")
    func chip() throws {
        let settings = try DeviceSettings(.linux, keys: .trustedPlatformModule(connection: "none"))
        #expect(settings.profile == .linuxTPM)
    }

    @Test("A folder without device, one with a device, and one of another version are told apart")
    func folders() async throws {
        await expect(.notInitialized) { try await self.open() }
        try await create()
        await expect(.alreadyInitialized) { try await self.create() }
        let file = folder + "/device.json"
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        try Data(#"{"format":99,"family":"ios","application":"a","keys":"software"}"#.utf8)
            .write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        await expect(.outdated) { try await self.open() }
    }

    @Test("A bundle identifier is letters, digits, hyphens and dots", arguments: ["", "a b", "a/b", "ä", "a\nb"])
    func bundleID(text: String) async {
        await expect(.invalidBundleID) { try DeviceSettings(.ios, application: text, keys: .software) }
    }

    @Test(
        "The hash of a certificate is 27 characters of Base64",
        arguments: ["", "w56fMyf2AmdJPOIAqm1cKTqbo2", "w56fMyf2AmdJPOIAqm1cKTqbo2Q=", "w56fMyf2AmdJPOIAqm1cKTqbo-Q"])
    func keyHash(text: String) async {
        await expect(.invalidKeyHash) { try DeviceSettings(.android, application: text, keys: .software) }
    }

    @Test("The name of a Linux application is never input")
    func fixedName() async {
        await expect(.fixedApplication) { try DeviceSettings(.linux, application: "com.example", keys: .software) }
    }

    /// Expects an error by its name; the causes inside cannot be compared.
    private func expect(_ expected: VirtualDeviceError, _ body: () async throws -> Any) async {
        let error = await #expect(throws: VirtualDeviceError.self) { _ = try await body() }
        #expect(error.map { String(describing: $0) } == String(describing: expected))
    }
}
