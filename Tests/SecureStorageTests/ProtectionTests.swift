import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.5 and 7: protection levels")
struct ProtectionTests {
    private var place: StoragePlace
    private let user = ScriptedPresence()
    private let clock = SteppedClock()
    private static let gated: [SecureStorage.Protection] = [
        .devicePasscode, .biometryAny, .biometryCurrentSet, .userPresence,
    ]

    init() throws {
        place = try StoragePlace()
        let clock = clock
        place.environment.now = { clock.now }
        place.configuration.userPresence = user
    }

    private func protected(_ protection: SecureStorage.Protection) async throws -> SecureStorage {
        let storage = try await place.open()
        try storage.putString("value", forKey: "name")
        try await storage.write(protection: protection)
        return storage
    }

    @Test("A protected storage asks once when it is opened, and says which level it has", arguments: gated)
    func asks(protection: SecureStorage.Protection) async throws {
        let storage = try await protected(protection)
        #expect(storage.protection == protection)
        #expect(storage.protectionStatement.userGate == .software)
        #expect(user.asked.isEmpty)
        let again = try await place.open()
        #expect(try again.getString(forKey: "name") == "value")
        #expect(try again.getString(forKey: "name") == "value")
        #expect(user.asked == [try #require(protection.gate)])
    }

    @Test("No question is asked for a storage without protection")
    func unprotected() async throws {
        _ = try await protected(.none)
        _ = try await place.open()
        #expect(user.asked.isEmpty)
    }

    @Test(
        "What the user does wrong is told apart",
        arguments: [
            (UserPresenceError.cancelled, SecureStorageError.userCancelled),
            (.mismatch, .userPresenceFailed(.mismatch)), (.lockedOut, .userPresenceFailed(.lockedOut)),
            (.unavailable, .userPresenceFailed(.unavailable)), (.notResponding, .userPresenceFailed(.notResponding)),
            (.enrollmentChanged, .enrollmentChanged),
        ])
    func refusals(refusal: UserPresenceError, expected: SecureStorageError) async throws {
        _ = try await protected(.biometryAny)
        user.change { $0.refusal = refusal }
        await #expect(throws: expected) { try await place.open() }
        user.change { $0.refusal = nil }
        #expect(try await place.open().getString(forKey: "name") == "value")
    }

    @Test("A protected storage does not open where no user can be asked, nor is one made there")
    func noUserToAsk() async throws {
        _ = try await protected(.devicePasscode)
        var lonely = place
        lonely.configuration.userPresence = nil
        await #expect(throws: SecureStorageError.userPresenceFailed(.unavailable)) { try await lonely.open() }
        let other = try await lonely.open("other")
        await #expect(throws: SecureStorageError.userPresenceFailed(.unavailable)) {
            try await other.write(protection: .biometryAny)
        }
    }

    @Test("A changed enrolment loses a storage of the current set before the user is asked, and no other")
    func enrollment() async throws {
        _ = try await protected(.biometryCurrentSet)
        let other = try await place.open("other")
        try await other.write(protection: .biometryAny)
        user.change { $0.enrolled = Array(repeating: 8, count: 32) }
        await #expect(throws: SecureStorageError.enrollmentChanged) { try await place.open() }
        #expect(user.asked.isEmpty)
        #expect(SecureStorageError.enrollmentChanged.isUnrecoverable)
        _ = try await place.open("other")
        user.change { $0.enrolled = Array(repeating: 7, count: 32) }
        #expect(try await place.open().getString(forKey: "name") == "value")
    }

    @Test("After half a minute values are not read any more until the storage is loaded again; changes stay")
    func expiry() async throws {
        _ = try await protected(.userPresence)
        let storage = try await place.open()
        clock.advance(by: .milliseconds(29_999))
        #expect(try storage.getString(forKey: "name") == "value")
        try storage.putString("new", forKey: "name")
        clock.advance(by: .milliseconds(1))
        let expired = SecureStorageError.userPresenceFailed(.expired)
        #expect(throws: expired) { try storage.getString(forKey: "name") }
        #expect(throws: expired) { try storage.getAll() }
        #expect(throws: expired) { try storage.withBytes(forKey: "name") { $0.count } }
        #expect(try storage.contains(key: "name"))
        try await storage.load()
        #expect(try storage.getString(forKey: "name") == "new")
        #expect(user.asked.count == 2)
        try await storage.write()
        #expect(try await place.open().getString(forKey: "name") == "new")
    }

    @Test("The time to read is what the options say, and is kept in the file")
    func timeout() async throws {
        let storage = try await place.open()
        try storage.putString("value", forKey: "name")
        try await storage.writeBiometryProtected(.init(reauthenticationTimeout: .seconds(5)))
        #expect(storage.protection == .biometryCurrentSet)
        let again = try await place.open()
        clock.advance(by: .seconds(4))
        _ = try again.getString(forKey: "name")
        clock.advance(by: .seconds(1))
        #expect(throws: SecureStorageError.userPresenceFailed(.expired)) { try again.getString(forKey: "name") }
        try await again.write()
        #expect(try await place.open().protection == .biometryCurrentSet)
    }

    @Test(
        "Options say which level it is",
        arguments: [
            (false, true, SecureStorage.Protection.biometryCurrentSet), (false, false, .biometryAny),
            (true, true, .userPresence), (true, false, .userPresence),
        ])
    func options(fallback: Bool, invalidates: Bool, expected: SecureStorage.Protection) async throws {
        let storage = try await place.open()
        try await storage.writeBiometryProtected(
            .init(allowDeviceCredentialFallback: fallback, invalidateOnNewEnrollment: invalidates))
        #expect(storage.protection == expected)
    }

    @Test("A plain write keeps the protection; giving it up takes the old level's presence", arguments: gated)
    func keeping(protection: SecureStorage.Protection) async throws {
        let storage = try await protected(protection)
        try storage.putString("second", forKey: "name")
        try await storage.write()
        #expect(try await place.open().protection == protection)
        user.change { $0.refusal = .mismatch }
        await #expect(throws: SecureStorageError.userPresenceFailed(.mismatch)) {
            try await storage.write(protection: .none)
        }
        #expect(storage.protection == protection)
        user.change { $0.refusal = nil }
        try await storage.write(protection: .none)
        user.change { $0.asked = [] }
        #expect(try await place.open().getString(forKey: "name") == "second")
        #expect(user.asked.isEmpty)
    }

    @Test("A change of protection takes a new root key: nothing of the old file stays (STO-7)")
    func rotation() async throws {
        let storage = try await protected(.none)
        let before = try place.file()
        try await storage.write(protection: .biometryAny)
        let after = try place.file()
        #expect(before[16..<32] == after[16..<32])
        #expect(before[64..<96] != after[64..<96])
        #expect(try storage.getString(forKey: "name") == "value")
        #expect(try await place.open().getString(forKey: "name") == "value")
    }
}
