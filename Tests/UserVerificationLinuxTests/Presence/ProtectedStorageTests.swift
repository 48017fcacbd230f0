import HardwareKeys
import SecureStorage
import TestSupport
import Testing

/// The ports of SecureStorage, filled with what a Linux machine has.
@Suite("A protected storage behind a Linux user", LinuxMachine.requirement)
struct ProtectedStorageTests {
    private let machine: LinuxMachine
    private let folder: TemporaryFolder

    init() throws {
        machine = try LinuxMachine()
        folder = try TemporaryFolder()
    }

    private func open() async throws -> SecureStorage {
        var configuration = SecureStorage.Configuration(hardware: .none, directory: folder.path)
        configuration.userPresence = try machine.user
        return try await SecureStorage.createSecureStorage(
            fileName: "box", fingerprint: nil, configuration: configuration)
    }

    private func protect(_ protection: SecureStorage.Protection) async throws {
        let storage = try await open()
        try storage.putString("value", forKey: "name")
        try await storage.write(protection: protection)
    }

    @Test("A finger opens it; a new finger closes it for good")
    func currentSet() async throws {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        try await protect(.biometryCurrentSet)
        let opening = self
        let storage = try await machine.giving("thumb") { try await opening.open() }
        #expect(try storage.getString(forKey: "name") == "value")
        await #expect(throws: SecureStorageError.userPresenceFailed(.mismatch)) {
            _ = try await machine.giving("nose") { try await opening.open() }
        }
        try await machine.fingers.enrol("left-thumb", print: "other")
        await #expect(throws: SecureStorageError.enrollmentChanged) { _ = try await open() }
    }

    @Test("The passcode opens it")
    func passcode() async throws {
        try await protect(.devicePasscode)
        #expect(try await open().getString(forKey: "name") == "value")
        #expect(machine.entry.prompts.count == 1)
    }
}
