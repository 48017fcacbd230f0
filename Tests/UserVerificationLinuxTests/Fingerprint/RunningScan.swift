import HardwareKeys
import TestSupport
import UserVerificationLinux

/// A scan that goes on while the test does something to the sensor.
struct RunningScan: Sendable {
    private let task: Task<UserPresenceError?, Never>
    private let events: AsyncStream<ScanProgress>

    /// Starts it and waits until the sensor listens.
    static func ready(_ sensor: some BiometricSensor) async throws -> RunningScan {
        let scan = RunningScan(sensor)
        _ = await scan.next()
        return scan
    }

    /// Starts it.
    init(_ sensor: some BiometricSensor) {
        let (events, teller) = AsyncStream<ScanProgress>.makeStream()
        self.events = events
        task = Task {
            defer { teller.finish() }
            do throws(UserPresenceError) {
                try await sensor.scan { teller.yield($0) }
                return nil
            } catch {
                return error
            }
        }
    }

    /// What the sensor tells next; nil when the scan has ended.
    func next() async -> ScanProgress? {
        var iterator = events.makeAsyncIterator()
        return await iterator.next()
    }

    /// Why it ended; nil for a match.
    var failure: UserPresenceError? {
        get async { await task.value }
    }

    func cancel() { task.cancel() }
}
