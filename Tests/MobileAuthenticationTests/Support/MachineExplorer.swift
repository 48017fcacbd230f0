import Testing

@testable import MobileAuthentication
@testable import UAFClient

/// Drives machines along paths of events and off them.
struct MachineExplorer<Event: Sendable, Effect: OperationEffect, Output, Failure: Error> {
    /// What one run came to: the effects it asked for, and how it ended.
    struct Run {
        var effects: [Effect] = []
        var end: String?
        /// The code of a failure of the UAF protocol.
        var code: FidoErrorCode?
    }

    /// A machine behind closures; machines themselves cannot be copied into a collection.
    struct Driver {
        let start: () -> Step<Effect, Output, Failure>
        let resume: (Event) -> Step<Effect, Output, Failure>
    }

    let makeDriver: () -> Driver
    /// One event of every kind.
    let palette: [Event]
    /// The event that answers an effect which outlives cancellation.
    let done: Event
    let cancellation: Event

    /// Feeds events; those after the end are fed as well.
    func run(_ events: [Event]) -> Run {
        let driver = makeDriver()
        var run = Run()
        note(driver.start(), in: &run)
        for event in events { note(driver.resume(event), in: &run) }
        return run
    }

    /// Every event in every state of every path ends the machine after at most a few cleaning steps, and for good.
    func expectEveryEventEnds(along paths: [[Event]]) {
        for path in paths {
            for length in 0...path.count {
                for event in palette { expectEnd(after: Array(path.prefix(length)) + [event]) }
            }
        }
    }

    /// As ``expectEveryEventEnds(along:)`` with sequences made by chance.
    func expectRandomEventsEnd(count: Int) {
        for _ in 0..<count {
            let length = Int.random(in: 1...12)
            expectEnd(after: (0..<length).compactMap { _ in palette.randomElement() })
        }
    }

    private func expectEnd(after events: [Event]) {
        let driver = makeDriver()
        var step = driver.start()
        for event in events { step = driver.resume(event) }
        var cleaning = 0
        while case .perform(let effect) = step {
            cleaning += 1
            guard cleaning < 5 else {
                Issue.record("the machine does not end after \(events)")
                return
            }
            step = driver.resume(effect.outlivesCancellation ? done : cancellation)
        }
        guard case .finish(let end) = step else { return }
        for event in palette {
            guard case .finish(let again) = driver.resume(event) else {
                Issue.record("an effect after the end, after \(events)")
                return
            }
            #expect(String(describing: again) == String(describing: end))
        }
    }

    private func note(_ step: Step<Effect, Output, Failure>, in run: inout Run) {
        switch step {
        case .perform(let effect): run.effects.append(effect)
        case .finish(let result):
            run.end = String(describing: result)
            if case .failure(let failure) = result, case .fido(let code, _) = failure as? CeremonyFailure {
                run.code = FidoErrorCode(code)
            }
        }
    }
}

/// Holds a machine that cannot be copied.
final class MachineHolder<Machine: OperationMachine & ~Copyable> {
    private var machine: Machine

    init(_ machine: consuming Machine) {
        self.machine = machine
    }

    func start() -> Step<Machine.Effect, Machine.Output, Machine.Failure> { machine.start() }

    func resume(_ event: Machine.Event) -> Step<Machine.Effect, Machine.Output, Machine.Failure> {
        machine.resume(event)
    }
}
