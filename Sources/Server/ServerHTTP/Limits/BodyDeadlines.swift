import NIOCore
import Synchronization

/// Ends the reading of bodies that take too long to arrive.
///
/// One scheduled task watches all bodies under way, since all have the same time: a timer for each request would cost
/// more than reading its body does.
final class BodyDeadlines: Sendable {
    private struct Reading {
        let deadline: NIODeadline
        let channel: any Channel
    }

    private struct State {
        var readings: [UInt64: Reading] = [:]
        var lastNumber: UInt64 = 0
        var isWatching = false
    }

    private let time: TimeAmount
    private let state = Mutex(State())

    /// Gives every body the same time.
    init(time: Duration) {
        self.time = .nanoseconds(time.wholeNanoseconds)
    }

    /// Runs `read`, which takes a body from `channel`.
    ///
    /// When the time is over, what it waits for throws ``RequestRefusal/tooSlow``.
    func limited<Value>(_ channel: any Channel, _ read: () async throws -> Value) async throws -> Value {
        let number = begin(channel)
        defer { end(number) }
        return try await read()
    }

    private func begin(_ channel: any Channel) -> UInt64 {
        let deadline = NIODeadline.now() + time
        let (number, isFirst) = state.withLock { state in
            state.lastNumber += 1
            state.readings[state.lastNumber] = Reading(deadline: deadline, channel: channel)
            defer { state.isWatching = true }
            return (state.lastNumber, !state.isWatching)
        }
        if isFirst { watch(until: deadline, on: channel.eventLoop) }
        return number
    }

    private func end(_ number: UInt64) {
        state.withLock { $0.readings[number] = nil }
    }

    private func watch(until deadline: NIODeadline, on loop: any EventLoop) {
        loop.scheduleTask(deadline: deadline) { self.sweep(on: loop) }
    }

    /// Ends what is late and comes again when the next body may be.
    private func sweep(on loop: any EventLoop) {
        let now = NIODeadline.now()
        let (late, next) = state.withLock { state in
            let late = state.readings.filter { $0.value.deadline <= now }
            for number in late.keys { state.readings[number] = nil }
            let next = state.readings.values.map(\.deadline).min()
            state.isWatching = next != nil
            return (late.values.map(\.channel), next)
        }
        for channel in late { channel.pipeline.fireErrorCaught(RequestRefusal.tooSlow) }
        if let next { watch(until: next, on: loop) }
    }
}
