import Foundation
import Testing

@testable import MobileAuthentication

@Suite("The bridge from a synchronous call to asynchronous work")
struct BlockingBridgeTests {
    struct Failure: Error, Equatable {}

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

    @Test("Work that hops to actors and back ends, on as many threads at once as one likes")
    func actors() async throws {
        actor Counter {
            var count = 0
            func add() { count += 1 }
        }
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    // Every thread of the pool is blocked meanwhile.
                    BlockingBridge.wait { () async throws(Never) in
                        for _ in 0..<10 { await counter.add() }
                    }
                }
            }
        }
        #expect(await counter.count == 320)
    }

    @Test("The main thread can wait: nothing of the work needs it")
    func mainThread() async {
        let isMain = await MainActor.run {
            BlockingBridge.wait { () async throws(Never) in
                await Task.yield()
                return Thread.isMainThread
            }
        }
        #expect(isMain)
    }
}
