import HardwareKeys
import Synchronization
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Operations that need the user queue")
struct OperationTurnTests {
    @Test("They pass one after another in the order in which they came")
    func firstInFirstOut() async {
        let mutex = AsyncMutex()
        let log = Log()
        let end = OneShot<Void>()
        async let first: Void = mutex.runInTurn { () async throws(Never) in
            await end.value()
            log.add(0)
        }
        while !mutex.isLocked { await Task.yield() }
        await withDiscardingTaskGroup { group in
            for number in 1...20 {
                group.addTask { await mutex.runInTurn { () async throws(Never) in log.add(number) } }
                while mutex.waitingCount < number { await Task.yield() }
            }
            end.fill(())
        }
        await first
        #expect(log.entries == Array(0...20))
    }

    @Test("A canceled visitor leaves the queue and holds no one else up")
    func canceledVisitor() async {
        let mutex = AsyncMutex()
        let log = Log()
        let end = OneShot<Void>()
        async let first: Void = mutex.runInTurn { () async throws(Never) in await end.value() }
        while !mutex.isLocked { await Task.yield() }
        let second = Task { await mutex.runInTurn { () async throws(Never) in log.add(Task.isCancelled ? -2 : 2) } }
        while mutex.waitingCount < 1 { await Task.yield() }
        second.cancel()
        await second.value
        #expect(log.entries == [-2])
        end.fill(())
        await first
        await mutex.runInTurn { () async throws(Never) in log.add(3) }
        #expect(log.entries == [-2, 3])
    }

    /// A machine whose first effect outlives cancellation.
    private struct StubbornMachine: OperationMachine {
        struct Effect: OperationEffect {
            let outlivesCancellation = true
        }

        enum Event: OperationEvent {
            case done
            case failed(CeremonyFailure)
            case canceled

            var refusal: CeremonyFailure? { nil }
        }

        mutating func start() -> Step<Effect, Bool, Never> { .perform(Effect()) }

        mutating func resume(_ event: Event) -> Step<Effect, Bool, Never> {
            if case .done = event { .finish(.success(true)) } else { .finish(.success(false)) }
        }
    }

    @Test("D-L14: an operation that is canceled while it waits performs nothing beside the one inside")
    func canceledOutside() async {
        let mutex = AsyncMutex()
        let log = Log()
        let end = OneShot<Void>()
        async let first: Void = mutex.runInTurn { () async throws(Never) in await end.value() }
        while !mutex.isLocked { await Task.yield() }
        let second = Task {
            await mutex.runInTurn { () async throws(Never) in
                await OperationRunner.run(StubbornMachine()) { _ in
                    log.add(1)
                    return .done
                }
            }
        }
        while mutex.waitingCount < 1 { await Task.yield() }
        second.cancel()
        #expect(await !second.value)
        #expect(log.entries.isEmpty)
        end.fill(())
        await first
    }

    @Test("D-L14: an operation that is canceled when its turn has come still performs what outlives cancellation")
    func canceledInside() async {
        let mutex = AsyncMutex()
        let operation = Task {
            while !Task.isCancelled { await Task.yield() }
            return await mutex.runInTurn { () async throws(Never) in
                await OperationRunner.run(StubbornMachine()) { _ in .done }
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
