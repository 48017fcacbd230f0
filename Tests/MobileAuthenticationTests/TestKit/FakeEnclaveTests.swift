import HardwareKeys
import MobileAuthenticationTestKit
import Testing

@Suite("A pretended enclave")
struct FakeEnclaveTests {
    @Test("A dialog comes to what the test said, then to a match again")
    func scans() async throws {
        let enclave = FakeEnclave()
        enclave.next(.noMatch, .cancel, .fallback, .lockedOut, .failure)
        for error: UserPresenceError in [.mismatch, .cancelled, .fallbackChosen, .lockedOut, .notResponding] {
            await #expect(throws: error) { _ = try await enclave.confirm(.biometryAny) }
        }
        #expect(try await enclave.confirm(.biometryAny).gate == .biometryAny)
        #expect(enclave.dialogs.count == 6)
    }

    @Test("A silent dialog stays until the task is canceled")
    func silence() async {
        let enclave = FakeEnclave()
        enclave.next(.silence)
        let task = Task { try await enclave.confirm(.devicePasscode) }
        while enclave.dialogs.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: UserPresenceError.cancelled) { _ = try await task.value }
    }

    @Test("What is enrolled has a digest that changes with every finger, and none when nothing is enrolled")
    func enrollment() async throws {
        let enclave = FakeEnclave()
        let before = try await enclave.enrollmentDigest()
        enclave.enroll("left thumb")
        let after = try await enclave.enrollmentDigest()
        #expect(before != after && after.count == 32)
        enclave.remove("left thumb")
        #expect(try await enclave.enrollmentDigest() == before)
        enclave.remove("right index finger")
        await #expect(throws: UserPresenceError.unavailable) { _ = try await enclave.enrollmentDigest() }
        await #expect(throws: UserPresenceError.unavailable) { _ = try await enclave.confirm(.biometryCurrentSet) }
    }

    @Test("Without a passcode there is nothing to ask for")
    func passcode() async throws {
        let enclave = FakeEnclave(sensors: [], hasPasscode: false)
        await #expect(throws: UserPresenceError.unavailable) { _ = try await enclave.confirm(.devicePasscode) }
        await #expect(throws: UserPresenceError.unavailable) { _ = try await enclave.confirm(.userPresence) }
        enclave.setPasscode()
        #expect(try await enclave.confirm(.userPresence).gate == .userPresence)
        #expect(enclave.dialogs == [.userPresence])
    }
}
