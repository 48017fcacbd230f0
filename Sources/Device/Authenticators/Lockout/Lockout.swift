package import HardwareKeys
import Octets

/// Cool-down state of a credential, stored beside the count of its vault.
///
/// The vault counts wrong secrets and locks; this is the moment of the last one, and their number as it was seen. An
/// attempt is noted before the vault is asked; what is found unfinished later, or counted by the vault without having
/// been seen here (a crash, an older copy of the file), makes the user wait as after a failure that happened now.
package struct LockoutState: Hashable, Sendable {
    package static let unlocked = LockoutState(failures: 0, lastFailure: nil)

    /// Wrong secrets in a row that were seen, and attempts that were begun.
    package private(set) var failures: Int
    /// Time of the last wrong secret, or the restart time of its cool-down.
    package private(set) var lastFailure: ClockReading?

    package init(failures: Int, lastFailure: ClockReading?) {
        self.failures = failures
        self.lastFailure = lastFailure
    }

    /// Protection status at a moment, given the attempts that the vault has counted.
    ///
    /// A wait whose clocks cannot tell how much of it has passed (restart, clock set back) begins again at that moment;
    /// the state has changed then and must be stored, or the wait would never end.
    package mutating func status(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) -> ProtectionStatus {
        takeOver(attempts, at: now)
        guard !attempts.isExhausted else { return .lockedOut }
        let wait = policy.wait(after: failures)
        let coolDown = wait > .zero ? max(.zero, wait - passed(at: now)) : .zero
        guard attempts.failures > 0 || coolDown > .zero else { return .unlocked }
        return .lastAttemptFailed(attemptsLeft: attempts.left, coolDown: coolDown)
    }

    /// Throws unless an attempt is allowed at this moment; nothing is counted.
    package mutating func requireAttempt(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) throws(AuthenticatorError) {
        switch status(attempts, at: now, under: policy) {
        case .unlocked, .lastAttemptFailed(_, .zero): break
        case .lastAttemptFailed(let attemptsLeft, let coolDown):
            throw .coolingDown(attemptsLeft: attemptsLeft, coolDown: coolDown)
        case .lockedOut: throw .lockedOut
        }
    }

    /// Notes an attempt that the vault is about to judge.
    ///
    /// Throws what ``requireAttempt(_:at:under:)`` throws, and notes nothing then.
    package mutating func beginAttempt(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) throws(AuthenticatorError) {
        try requireAttempt(attempts, at: now, under: policy)
        failures = min(failures, policy.attemptCount - 1) + 1
        lastFailure = now
    }

    /// Notes that the vault found the secret wrong, and returns the error for the user.
    package mutating func fail(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) -> AuthenticatorError {
        failures = max(failures, Int(attempts.failures))
        lastFailure = now
        guard !attempts.isExhausted else { return .lockedOut }
        return .wrongSecret(attemptsLeft: attempts.left, coolDown: policy.wait(after: failures))
    }

    package mutating func succeed() { self = .unlocked }

    /// A count of the vault above the one seen here is a failure that happened now.
    private mutating func takeOver(_ attempts: KeyAttempts, at now: ClockReading) {
        guard Int(attempts.failures) > failures else { return }
        failures = Int(attempts.failures)
        lastFailure = now
    }

    private mutating func passed(at now: ClockReading) -> Duration {
        guard let lastFailure, let elapsed = now.elapsed(since: lastFailure) else {
            lastFailure = now
            return .zero
        }
        return elapsed
    }
}

extension KeyAttempts {
    fileprivate var left: Int { max(0, Int(limit) - Int(failures)) }
}

/// Limit of wrong secrets in a row, and the cool-down after each.
package struct LockoutPolicy: Hashable, Sendable {
    /// Five in a row lock for good; the waits are 0, 0, 60 and 180 seconds.
    package static let standard = LockoutPolicy(waits: [.zero, .zero, .seconds(60), .seconds(180)])

    /// The wait after each wrong secret in a row, in order; one more than these locks for good.
    package let waits: [Duration]

    package init(waits: [Duration]) { self.waits = waits }

    package var attemptCount: Int { waits.count + 1 }

    /// The wait after so many wrong secrets in a row; after more than the policy knows, the longest.
    package func wait(after failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        return failures <= waits.count ? waits[failures - 1] : waits.max() ?? .zero
    }
}

extension LockoutState {
    /// Appends the number of failures and, when there are any, the moment of the last.
    func write(to writer: inout OctetWriter) {
        writer.writeUInt32LittleEndian(UInt32(clamping: failures))
        writer.writeUInt8(lastFailure == nil ? 0 : 1)
        lastFailure?.write(to: &writer)
    }

    init(from reader: inout OctetReader) throws {
        let failures = Int(try reader.readUInt32LittleEndian())
        switch try reader.readUInt8() {
        case 0: self.init(failures: failures, lastFailure: nil)
        case 1: self.init(failures: failures, lastFailure: try ClockReading(from: &reader))
        default: throw CredentialStoreError.damaged
        }
    }
}

extension ClockReading {
    /// Appends wall clock, run, time since its start and, where there is one, the clock in the chip.
    fileprivate func write(to writer: inout OctetWriter) {
        writer.writeInt64LittleEndian(wallSeconds)
        writer.write(bootID.octets)
        writer.writeInt64LittleEndian(bootMilliseconds)
        writer.writeUInt8(chip == nil ? 0 : 1)
        guard let chip else { return }
        writer.writeInt64LittleEndian(Int64(bitPattern: chip.milliseconds))
        writer.writeUInt32LittleEndian(chip.resetCount)
        writer.writeUInt8(chip.isSafe ? 1 : 0)
    }

    fileprivate init(from reader: inout OctetReader) throws {
        let wall = try reader.readInt64LittleEndian()
        guard let bootID = BootID(try reader.read(count: BootID.byteCount)) else {
            throw CredentialStoreError.damaged
        }
        let boot = try reader.readInt64LittleEndian()
        let chip: TrustedTime?
        switch try reader.readUInt8() {
        case 0: chip = nil
        case 1:
            chip = TrustedTime(
                milliseconds: UInt64(bitPattern: try reader.readInt64LittleEndian()),
                resetCount: try reader.readUInt32LittleEndian(), isSafe: try reader.readUInt8() == 1)
        default: throw CredentialStoreError.damaged
        }
        self.init(wallSeconds: wall, bootID: bootID, bootMilliseconds: boot, chip: chip)
    }
}
