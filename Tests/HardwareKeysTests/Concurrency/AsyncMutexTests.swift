import HardwareKeys
import Locking
import Testing

@Suite("An asynchronous mutex admits one task at a time, in the order of arrival")
struct AsyncMutexTests {
    private struct Failure: Error {}

    private static func enter(_ mutex: AsyncMutex, as number: Int, noting order: Lock<[Int]>) async {
        _ = try? await mutex.withLock { () async throws(Failure) in
            order.withLock { $0.append(number) }
            throw Failure()
        }
    }

    @Test("Tasks pass one after another in the order in which they came, and a failure releases the mutex")
    func firstInFirstOut() async {
        let mutex = AsyncMutex()
        let order = Lock<[Int]>([])
        let end = OneShot<Void>()
        async let first: Void = mutex.withLock { () async throws(Never) in await end.value() }
        while !mutex.isLocked { await Task.yield() }
        await withDiscardingTaskGroup { group in
            for number in 1...20 {
                group.addTask { await Self.enter(mutex, as: number, noting: order) }
                while mutex.waitingCount < number { await Task.yield() }
            }
            end.fill(())
        }
        await first
        #expect(order.withLock { $0 } == Array(1...20))
        #expect(!mutex.isLocked)
    }

    @Test("Who may give up leaves the line when cancelled, and who may not waits for their turn")
    func cancelled() async {
        let mutex = AsyncMutex()
        let end = OneShot<Void>()
        async let first: Void = mutex.withLock { () async throws(Never) in await end.value() }
        while !mutex.isLocked { await Task.yield() }
        let impatient = Task { await mutex.lockUnlessCancelled() }
        while mutex.waitingCount < 1 { await Task.yield() }
        let patient = Task { await mutex.withLock { () async throws(Never) in Task.isCancelled } }
        while mutex.waitingCount < 2 { await Task.yield() }
        impatient.cancel()
        patient.cancel()
        #expect(await !impatient.value)
        #expect(mutex.waitingCount == 1)
        end.fill(())
        await first
        #expect(await patient.value)
        #expect(!mutex.isLocked)
    }

    @Test("A free mutex is taken by a cancelled task, too; one that is taken turns it away")
    func cancelledBefore() async {
        let mutex = AsyncMutex()
        let isTaken = Task {
            while !Task.isCancelled { await Task.yield() }
            return await [mutex.lockUnlessCancelled(), mutex.lockUnlessCancelled()]
        }
        isTaken.cancel()
        #expect(await isTaken.value == [true, false])
        mutex.unlock()
        #expect(!mutex.isLocked)
    }
}
