import Foundation
import Testing

@testable import MobileAuthentication

@Suite("The bridge from a synchronous call to asynchronous work")
struct BlockingBridgeTests {
    struct Failure: Error, Equatable {}

    private actor Counter {
        private(set) var count = 0

        func add(_ number: Int) async {
            for _ in 0..<number {
                await Task.yield()
                count += 1
            }
        }
    }

    @Test("The outcome of the work comes back, a value or its error")
    func outcome() throws {
        let value = BlockingBridge.wait { () async throws(Never) in
            await Task.yield()
            return 7
        }
        #expect(value == 7)
        #expect(throws: Failure()) {
            try BlockingBridge.wait { () async throws(Failure) in throw Failure() }
        }
    }

    @Test("The outcome comes back as well where the work has to run on the pool")
    func pool() async throws {
        let value = await MainActor.run {
            BlockingBridge.waitForPool { () async throws(Never) in
                await Task.yield()
                return 7
            }
        }
        #expect(value == 7)
        #expect(throws: Failure()) {
            try BlockingBridge.waitForPool { () async throws(Failure) in throw Failure() }
        }
    }

    @Test("Work that hops to actors and back ends, also when it blocks more threads than the pool has")
    func actors() async throws {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { Self.add(10, to: counter) } }
        }
        #expect(await counter.count == 320)
    }

    @Test("The main actor can wait: the work runs on its thread and needs nothing of it")
    func mainActor() async {
        let threads = await MainActor.run {
            [
                Self.thread,
                BlockingBridge.wait { () async throws(Never) in
                    await Task.yield()
                    return Self.thread
                },
            ]
        }
        #expect(threads[0] == threads[1])
    }

    private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    private static func add(_ number: Int, to counter: Counter) {
        BlockingBridge.wait { () async throws(Never) in await counter.add(number) }
    }
}
