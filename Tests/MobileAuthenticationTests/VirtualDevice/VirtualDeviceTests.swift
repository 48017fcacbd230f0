import Authenticators
import Foundation
import MobileAuthentication
import Synchronization
import Testing
import VirtualDevice

@Suite("The virtual device")
final class VirtualDeviceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)")
        .path(percentEncoded: false)
    private let backend = ScriptedBackend()

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func create() async throws {
        try await VirtualDevice.create(
            inDirectory: folder, try .iOSWithSoftwareKeys(bundleID: "com.example.app"))
    }

    private func open() async throws -> VirtualDevice {
        var surroundings = VirtualDevice.Surroundings()
        surroundings.transport = backend
        let cost = try ScryptCost(rounds: 16, blockSize: 8, parallelism: 1)
        surroundings.pinProtection = SecretProtection(cost: cost, leastRounds: 16)
        let address = try Fixtures.unwrap(URL(string: ScriptedBackend.address))
        return try await VirtualDevice.open(
            inDirectory: folder, configuration: Configuration(baseUrl: address), surroundings: surroundings)
    }

    private let user = UserScript.entering(SecretBytes("482915"))

    @Test("A device registers, authenticates, shows what it holds and deregisters, each time opened anew")
    func life() async throws {
        try await create()
        try await open().register("jeff", deviceName: "phone", authorization: nil, user: user)
        let shown = try await open().registrations
        #expect(shown.map(\.username) == ["jeff"])
        #expect(shown.first?.aaid == "F1D0#1001")
        _ = try await open().authenticate("jeff", user: user)
        try await open().deregister("jeff", authorization: nil)
        #expect(try await open().registrations.isEmpty)
    }

    @Test("Local deletion leaves the server's side")
    func localDeletion() async throws {
        try await create()
        let device = try await open()
        try await device.register("jeff", deviceName: "phone", authorization: nil, user: user)
        try await device.deleteLocally("jeff")
        #expect(device.registrations.isEmpty)
        #expect(backend.keys.count == 1)
    }

    @Test("A user with one PIN cancels when it is wrong, instead of using up the attempts")
    func wrongPin() async throws {
        try await create()
        let device = try await open()
        try await device.register("jeff", deviceName: "phone", authorization: nil, user: user)
        let other = UserScript.entering(SecretBytes("111222"))
        let error = await #expect(throws: AuthenticationError.self) {
            try await device.authenticate("jeff", user: other)
        }
        #expect(error?.isUserCancellation == true)
    }

    @Test("Progress is told in order")
    func progress() async throws {
        try await create()
        let steps = Mutex<[String]>([])
        var script = user
        script.progress = { step in
            let name =
                switch step {
                case .authenticatorsOffered: "offered"
                case .authenticatorChosen: "chosen"
                case .newPinAsked: "new"
                case .pinAsked: "asked"
                case .pinAccepted: "accepted"
                }
            steps.withLock { $0.append(name) }
        }
        try await open().register("jeff", deviceName: "phone", authorization: nil, user: script)
        #expect(steps.withLock { $0 } == ["offered", "chosen", "new", "accepted"])
    }

    @Test("A folder without device, one with a device, and one of another version are told apart")
    func folders() async throws {
        await expect(.notInitialized) { try await self.open() }
        try await create()
        await expect(.alreadyInitialized) { try await self.create() }
        let file = folder + "/device.json"
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        try Data(#"{"format":99,"profile":"ios","bundleID":"a","keys":"software"}"#.utf8)
            .write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        await expect(.outdated) { try await self.open() }
    }

    @Test("A bundle identifier is letters, digits, hyphens and dots", arguments: ["", "a b", "a/b", "ä", "a\nb"])
    func bundleID(text: String) {
        #expect(throws: VirtualDeviceError.self) { try DeviceSettings.iOSWithSoftwareKeys(bundleID: text) }
    }

    /// Expects an error by its name; the causes inside cannot be compared.
    private func expect(_ expected: VirtualDeviceError, _ body: () async throws -> Any) async {
        let error = await #expect(throws: VirtualDeviceError.self) { _ = try await body() }
        #expect(error.map { String(describing: $0) } == String(describing: expected))
    }
}
