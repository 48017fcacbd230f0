import Authenticators
import HardwareKeys
import TestSupport
import Testing

@Suite("SDK-2: an attempt is stored before it is checked")
struct AttemptCountTests {
    @Test("Wrong PINs follow the table; in a cool-down the right one is refused too and nothing is counted")
    func wholeStory() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        try await expectWrong(device, credential, attemptsLeft: 4, coolDown: .zero)
        try await expectWrong(device, credential, attemptsLeft: 3, coolDown: .zero)
        try await expectWrong(device, credential, attemptsLeft: 2, coolDown: .seconds(60))
        await #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60))) {
            try await device.sign(credential, "482913")
        }
        device.clock.advance(seconds: 60)
        try await expectWrong(device, credential, attemptsLeft: 1, coolDown: .seconds(180))
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 1, coolDown: .seconds(180)))
        device.clock.advance(seconds: 180)
        await #expect(throws: AuthenticatorError.lockedOut) { try await device.sign(credential, "000000") }
        device.clock.advance(seconds: 1_000_000)
        await #expect(throws: AuthenticatorError.lockedOut) { try await device.sign(credential, "482913") }
        #expect(try await device.status(credential) == .lockedOut)
        #expect(try await device.store.contents().credential(credential.id)?.state == .active)
    }

    @Test("The right PIN at the last attempt forgets the wrong ones")
    func rescue() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        for wait in [Int64(0), 0, 60, 180] {
            _ = try? await device.sign(credential, "000000")
            device.clock.advance(seconds: wait)
        }
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 1, coolDown: .zero))
        _ = try await device.sign(credential, "482913")
        #expect(try await device.status(credential) == .unlocked)
    }

    @Test("A wait that begins again after a restart is stored, also when only the status was asked for")
    func restart() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        for _ in 0..<3 { _ = try? await device.sign(credential, "000000") }
        device.clock.set { $0.restarted(boot: 5, wall: 3_600) }
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 2, coolDown: .seconds(60)))
        device.clock.advance(seconds: 60)
        let later = try await device.reopened()
        #expect(try await later.status(credential) == .lastAttemptFailed(attemptsLeft: 2, coolDown: .zero))
        _ = try await later.sign(credential, "482913")
    }

    @Test(
        "A process that dies at any write of a wrong attempt gives no attempt back",
        arguments: FaultyFileSystem.Moment.allCases)
    func deathInWrongAttempt(moment: FaultyFileSystem.Moment) async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        var operation = 0
        while true {
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            let outcome = await self.outcome { try await device.reopened(on: disk).sign(credential, "000000") }
            let used = try await attemptsUsed(device, credential)
            #expect([0, 1].contains(used))
            if case .wrongSecret = outcome { #expect(used == 1) }
            guard disk.isDead else { break }
            _ = try await device.reopened().sign(credential, "482913")
            operation += 1
        }
        #expect(operation > 8)
    }

    @Test(
        "A process that dies at any write of a right attempt costs one attempt at most",
        arguments: FaultyFileSystem.Moment.allCases)
    func deathInRightAttempt(moment: FaultyFileSystem.Moment) async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        var operation = 0
        var counted = 0
        while true {
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            let outcome = await self.outcome { try await device.reopened(on: disk).sign(credential, "482913") }
            let used = try await attemptsUsed(device, credential)
            #expect([0, 1].contains(used))
            guard disk.isDead else {
                #expect(outcome == nil && used == 0)
                break
            }
            counted += used
            _ = try await device.reopened().sign(credential, "482913")
            operation += 1
        }
        #expect(counted > 0, "the key was tried before the attempt was stored")
    }

    @Test("Attempts at the same time never give more than the table allows")
    func parallelAttempts() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let wrong = await withTaskGroup(of: AuthenticatorError?.self) { group in
            for _ in 0..<20 { group.addTask { await outcome { try await device.sign(credential, "000000") } } }
            return await group.reduce(into: 0) { count, error in
                if case .wrongSecret = error { count += 1 }
            }
        }
        #expect(wrong == 3)
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 2, coolDown: .seconds(60)))
    }

    private func expectWrong(
        _ device: TestDevice, _ credential: Credential, attemptsLeft: Int, coolDown: Duration
    ) async throws {
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: attemptsLeft, coolDown: coolDown)) {
            try await device.sign(credential, "000000")
        }
    }

    private func attemptsUsed(_ device: TestDevice, _ credential: Credential) async throws -> Int {
        switch try await device.reopened().status(credential) {
        case .unlocked: 0
        case .lastAttemptFailed(let attemptsLeft, _): 5 - attemptsLeft
        case .lockedOut: 5
        }
    }

    private func outcome(_ body: () async throws -> [UInt8]) async -> AuthenticatorError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? AuthenticatorError ?? .lockedOut
        }
    }
}
