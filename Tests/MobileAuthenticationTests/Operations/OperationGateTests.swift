import Synchronization
import Testing

@testable import MobileAuthentication

@Suite("Operations that need the user queue")
struct OperationGateTests {
    @Test("They pass one after another in the order in which they came")
    func firstInFirstOut() async {
        let gate = OperationGate()
        let log = Log()
        let door = AnswerSlot<Void>()
        async let first: Void = gate.pass { () async throws(Never) in
            _ = await door.value()
            log.add(0)
        }
        while await !gate.isBusy { await Task.yield() }
        await withDiscardingTaskGroup { group in
            for number in 1...20 {
                group.addTask { await gate.pass { () async throws(Never) in log.add(number) } }
                while await gate.waitingCount < number { await Task.yield() }
            }
            door.answer(.given(()))
        }
        await first
        #expect(log.entries == Array(0...20))
    }

    @Test("A canceled visitor leaves the queue and holds nobody up")
    func canceledVisitor() async {
        let gate = OperationGate()
        let log = Log()
        let door = AnswerSlot<Void>()
        async let first: Void = gate.pass { () async throws(Never) in _ = await door.value() }
        while await !gate.isBusy { await Task.yield() }
        let second = Task { await gate.pass { () async throws(Never) in log.add(Task.isCancelled ? -2 : 2) } }
        while await gate.waitingCount < 1 { await Task.yield() }
        second.cancel()
        await second.value
        #expect(log.entries == [-2])
        door.answer(.given(()))
        await first
        await gate.pass { () async throws(Never) in log.add(3) }
        #expect(log.entries == [-2, 3])
    }

    /// A machine whose first effect outlives cancellation.
    private struct StubbornMachine: OperationMachine {
        struct Effect: OperationEffect {
            let outlivesCancellation = true
        }

        static let cancellation = false

        mutating func start() -> Step<Effect, Bool, Never> { .perform(Effect()) }
        mutating func resume(_ event: Bool) -> Step<Effect, Bool, Never> { .finish(.success(event)) }
    }

    @Test("D-L14: an operation that is canceled while it waits performs nothing beside the one inside")
    func canceledOutside() async {
        let gate = OperationGate()
        let log = Log()
        let door = AnswerSlot<Void>()
        async let first: Void = gate.pass { () async throws(Never) in _ = await door.value() }
        while await !gate.isBusy { await Task.yield() }
        let second = Task {
            await gate.pass { () async throws(Never) in
                await OperationRunner.run(StubbornMachine()) { _ in
                    log.add(1)
                    return true
                }
            }
        }
        while await gate.waitingCount < 1 { await Task.yield() }
        second.cancel()
        #expect(await !second.value)
        #expect(log.entries.isEmpty)
        door.answer(.given(()))
        await first
    }

    @Test("D-L14: an operation that is canceled when its turn has come still performs what outlives cancellation")
    func canceledInside() async {
        let gate = OperationGate()
        let operation = Task {
            while !Task.isCancelled { await Task.yield() }
            return await gate.pass { () async throws(Never) in
                await OperationRunner.run(StubbornMachine()) { _ in true }
            }
        }
        operation.cancel()
        #expect(await operation.value)
    }
}

/// Numbers in the order in which they were noted.
private final class Log: Sendable {
    private let numbers = Mutex<[Int]>([])

    var entries: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
