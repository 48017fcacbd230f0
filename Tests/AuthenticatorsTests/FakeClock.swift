import Authenticators
import HardwareKeys
import Synchronization

/// Clocks that a test sets.
final class FakeClock: CoolDownClock {
    private let now: Mutex<ClockReading>

    init(_ start: ClockReading = .start) {
        now = Mutex(start)
    }

    func read() -> ClockReading {
        now.withLock { $0 }
    }

    /// Lets both clocks run.
    func advance(seconds: Int64) {
        set { $0.moved(wall: seconds, boot: seconds) }
    }

    func set(_ change: (ClockReading) -> ClockReading) {
        now.withLock { $0 = change($0) }
    }
}

extension ClockReading {
    static let start = ClockReading(wallSeconds: 1_800_000_000, bootID: .first, bootMilliseconds: 500_000)

    /// The same run, with each clock moved by its own number of seconds.
    func moved(wall: Int64, boot: Int64) -> ClockReading {
        ClockReading(
            wallSeconds: wallSeconds + wall, bootID: bootID, bootMilliseconds: bootMilliseconds + boot * 1_000)
    }

    /// The same moment with what a chip says.
    func withChip(seconds: UInt64, resetCount: UInt32, isSafe: Bool = true) -> ClockReading {
        ClockReading(
            wallSeconds: wallSeconds, bootID: bootID, bootMilliseconds: bootMilliseconds,
            chip: TrustedTime(milliseconds: seconds * 1_000, resetCount: resetCount, isSafe: isSafe))
    }

    /// Another run of the system, which began so long ago.
    func restarted(boot: Int64, wall: Int64 = 0) -> ClockReading {
        ClockReading(wallSeconds: wallSeconds + wall, bootID: .second, bootMilliseconds: boot * 1_000)
    }
}

extension BootID {
    static let first = id(1)
    static let second = id(2)

    private static func id(_ octet: UInt8) -> BootID {
        guard let id = BootID([UInt8](repeating: octet, count: byteCount)) else { preconditionFailure("16 bytes") }
        return id
    }
}
