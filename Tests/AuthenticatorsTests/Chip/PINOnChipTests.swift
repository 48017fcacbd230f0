import Authenticators
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite(
    "SDK-1 on a TPM: the chip counts and locks",
    .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
struct PINOnChipTests {
    private let chip: SoftwareTPM
    private let device: TestDevice

    init() async throws {
        chip = try SoftwareTPM()
        device = try await TestDevice.onChip(chip)
    }

    @Test("Wrong PINs follow the table; after the fifth even the right one is refused, across restarts and older files")
    func table() async throws {
        let credential = try await device.enroll("482913")
        let old = try files()
        _ = try await device.sign(credential, "482913")
        try await expectWrong(credential, attemptsLeft: 4, coolDown: .zero)
        try await expectWrong(credential, attemptsLeft: 3, coolDown: .zero)
        try await expectWrong(credential, attemptsLeft: 2, coolDown: .seconds(60))
        await #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60))) {
            try await device.sign(credential, "482913")
        }
        device.clock.advance(seconds: 60)
        try await expectWrong(credential, attemptsLeft: 1, coolDown: .seconds(180))
        device.clock.advance(seconds: 180)
        await #expect(throws: AuthenticatorError.lockedOut) { try await device.sign(credential, "000000") }
        try await expectLocked(credential)
        try await expectRefusal(of: old)
        try await expectLocked(credential)
        try chip.restart()
        device.clock.set { $0.restarted(boot: 1, wall: 1_000_000) }
        try await expectLocked(credential)
        try await expectRefusal(of: old)
        device.clock.set { $0.moved(wall: -2_000_000, boot: 0) }
        try await expectLocked(credential)
    }

    @Test(
        "Older files of the store are refused, and older files of the vault give no attempt back before the lock either"
    )
    func rollback() async throws {
        let credential = try await device.enroll("482913")
        let old = try files()
        for attempt in 1...4 {
            _ = try? await device.sign(credential, "000000")
            try await expectRefusal(of: old)
            let wait: Duration = attempt < 3 ? .zero : attempt == 3 ? .seconds(60) : .seconds(180)
            #expect(
                try await device.reopened().status(credential)
                    == .lastAttemptFailed(attemptsLeft: 5 - attempt, coolDown: wait))
            device.clock.advance(seconds: 180)
        }
        // The right PIN still helps, once.
        _ = try await device.reopened().sign(credential, "482913")
        #expect(try await device.status(credential) == .unlocked)
    }

    @Test("After a restart the clock of the chip goes on where it was; after a power cut the full wait begins again")
    func restart() async throws {
        let credential = try await device.enroll("482913")
        for _ in 0..<2 { _ = try? await device.sign(credential, "000000") }
        let before = try await chipTime()
        try await expectWrong(credential, attemptsLeft: 2, coolDown: .seconds(60))
        let after = try await chipTime()
        try chip.stop()
        try chip.start()
        device.clock.set { $0.restarted(boot: 1, wall: 3_600) }
        let earliest = try await chipTime()
        guard case .lastAttemptFailed(2, let left) = try await device.status(credential) else {
            Issue.record("not waiting")
            return
        }
        let latest = try await chipTime()
        // However long all this took: what the chip says has passed, and nothing else.
        #expect(left <= rest(after: after, until: earliest) && left >= rest(after: before, until: latest))
        #expect(earliest > after)
        #expect(
            try await statusAfterPowerCut(credential) == .lastAttemptFailed(attemptsLeft: 2, coolDown: .seconds(60)))
    }

    /// How the credential stands in a new run of the system while the clock of the chip does not trust itself.
    ///
    /// The chip calls its clock safe again a few seconds after a power cut. A clock that is unsafe after the question
    /// was unsafe during it; another one needs another power cut, which shortens no wait.
    private func statusAfterPowerCut(_ credential: Credential) async throws -> ProtectionStatus? {
        for attempt in UInt8(0)..<50 {
            try chip.restart()
            device.clock.set { now in
                let run = BootID([UInt8](repeating: 100 + attempt, count: BootID.byteCount)) ?? now.bootID
                return ClockReading(wallSeconds: now.wallSeconds + 3_600, bootID: run, bootMilliseconds: 1)
            }
            let status = try await device.status(credential)
            if try await device.vault.trustedTime()?.isSafe == false { return status }
        }
        return nil
    }

    /// What the clock in the chip says.
    private func chipTime() async throws -> Duration {
        .milliseconds(try #require(try await device.vault.trustedTime()).milliseconds)
    }

    /// What is left of a minute.
    private func rest(after start: Duration, until end: Duration) -> Duration {
        max(.zero, .seconds(60) - (end - start))
    }

    @Test("A change of the PIN keeps the key; a wrong old PIN counts in the chip")
    func change() async throws {
        let credential = try await device.enroll("482913")
        let command = SecretReplacement(device.ports)
        let old = try UserSecret.pin("482913")
        let new = try UserSecret.pin("730518")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            _ = try await command.unlock(credential.id, old: new)
        }
        try await command.perform(try await command.unlock(credential.id, old: old), new: new)
        _ = try await device.sign(credential, "730518")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await device.sign(credential, "482913")
        }
    }

    @Test("A chip that was cleared has lost the key for good; one that is silent costs nothing")
    func loss() async throws {
        let credential = try await device.enroll("482913")
        chip.kill()
        await #expect(throws: AuthenticatorError.vault(.hardwareUnavailable)) {
            try await device.sign(credential, "482913")
        }
        try chip.start()
        _ = try await device.sign(credential, "482913")
        try chip.clear()
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.sign(credential, "482913")
        }
    }

    @Test("A removed credential leaves no index in the chip")
    func removal() async throws {
        let before = try chip.indices()
        _ = try await device.enroll("482913")
        #expect(try chip.indices().count == before.count + 1)
        try await KeyRemoval(device.ports).perform(aaid: nil, keyID: nil, access: device.access)
        #expect(try chip.indices() == before)
        #expect(try chip.leftovers().isEmpty)
    }

    // MARK: - Steps

    private func expectWrong(_ credential: Credential, attemptsLeft: Int, coolDown: Duration) async throws {
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: attemptsLeft, coolDown: coolDown)) {
            try await device.sign(credential, "000000")
        }
    }

    private func expectLocked(_ credential: Credential) async throws {
        let later = try await device.reopened()
        #expect(try await later.status(credential) == .lockedOut)
        await #expect(throws: AuthenticatorError.lockedOut) { try await later.sign(credential, "482913") }
    }

    /// Every file of the device.
    private func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try device.folder.filesBelow() { files[name] = try device.folder.bytes(of: name) }
        return files
    }

    /// Puts older files back, sees that the device does not open, and leaves the vault's where they are.
    private func expectRefusal(of old: [String: [UInt8]]) async throws {
        let newest = try files().filter { $0.key.hasPrefix("store/") }
        try put(old)
        await #expect(throws: CredentialStoreError.rolledBack) { try await device.reopened() }
        try put(newest)
    }

    private func put(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files { try device.folder.overwrite(name, with: bytes) }
    }
}

extension TemporaryFolder {
    /// The paths of the files in all folders below.
    fileprivate func filesBelow(_ folder: String = "") throws -> [String] {
        try names(in: folder).flatMap { name in
            let path = folder.isEmpty ? name : folder + "/" + name
            let inside = try? filesBelow(path)
            return inside ?? [path]
        }
    }
}
