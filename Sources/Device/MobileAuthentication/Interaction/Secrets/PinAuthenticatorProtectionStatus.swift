// swift-format-ignore: AlwaysUseLowerCamelCase
/// Protection of a PIN against guessing: attempts left, cool-down, lockout.
@nonexhaustive
public enum PinAuthenticatorProtectionStatus: Equatable, Encodable, Sendable {
    /// The last attempt was right, or there was none.
    case Unlocked
    /// The last attempt was wrong; until the cool-down has passed, no entry is checked.
    case LastAttemptFailed(remainingTries: Int, coolDownTimeInSeconds: Int)
    /// Too many attempts were wrong; only deregistration or local deletion helps.
    case LockedOut
}

extension PinAuthenticatorProtectionStatus: CustomStringConvertible {
    /// The status as one English sentence.
    public var description: String {
        switch self {
        case .Unlocked: "The PIN authenticator is not locked."
        case .LastAttemptFailed(let tries, let seconds):
            "The last attempt failed. Attempts left: \(tries). Seconds to wait: \(seconds)."
        case .LockedOut: "The PIN authenticator is locked."
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Protection of a password against guessing: attempts left, cool-down, lockout.
@nonexhaustive
public enum PasswordAuthenticatorProtectionStatus: Equatable, Encodable, Sendable {
    /// The last attempt was right, or there was none.
    case Unlocked
    /// The last attempt was wrong; until the cool-down has passed, no entry is checked.
    case LastAttemptFailed(remainingTries: Int, coolDownTimeInSeconds: Int)
    /// Too many attempts were wrong; only deregistration or local deletion helps.
    case LockedOut
}

extension PasswordAuthenticatorProtectionStatus: CustomStringConvertible {
    /// The status as one English sentence.
    public var description: String {
        switch self {
        case .Unlocked: "The password authenticator is not locked."
        case .LastAttemptFailed(let tries, let seconds):
            "The last attempt failed. Attempts left: \(tries). Seconds to wait: \(seconds)."
        case .LockedOut: "The password authenticator is locked."
        }
    }
}

/// Counts the seconds of a cool-down.
enum CoolDown {
    /// The seconds that are left, once for each second, down to and with zero.
    ///
    /// Unread ticks are replaced by newer ones; the time of the clock counts, not the number of ticks.
    static func stream(_ seconds: Int, _ clock: any MonotonicClock = SystemMonotonicClock()) -> AsyncStream<Int>? {
        guard seconds > 0 else { return nil }
        let end = clock.now + .seconds(seconds)
        let (ticks, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let counting = Task {
            var left = seconds
            while left > 0 {
                continuation.yield(left)
                do throws(CancellationError) {
                    try await clock.sleep(for: end - clock.now - .seconds(left - 1))
                } catch {
                    return
                }
                left = min(left - 1, max(0, (end - clock.now).wholeSeconds))
            }
            continuation.yield(0)
            continuation.finish()
        }
        continuation.onTermination = { _ in counting.cancel() }
        return ticks
    }
}

extension PinAuthenticatorProtectionStatus {
    /// The seconds of the cool-down that are left, once for each second down to zero; nil when there is no cool-down.
    ///
    /// The count begins when this is read.
    public var coolDown: AsyncStream<Int>? {
        guard case .LastAttemptFailed(_, let seconds) = self else { return nil }
        return CoolDown.stream(seconds)
    }
}

extension PasswordAuthenticatorProtectionStatus {
    /// The seconds of the cool-down that are left, once for each second down to zero; nil when there is no cool-down.
    ///
    /// The count begins when this is read.
    public var coolDown: AsyncStream<Int>? {
        guard case .LastAttemptFailed(_, let seconds) = self else { return nil }
        return CoolDown.stream(seconds)
    }
}
