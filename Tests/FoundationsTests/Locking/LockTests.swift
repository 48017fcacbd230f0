import Locking
import Testing

@Suite("The lock lets one caller at a time to its value")
struct LockTests {
    private struct Refusal: Error, Equatable {}

    private static func count(to limit: Int, in counter: Lock<Int>) {
        for _ in 0..<limit { counter.withLock { $0 += 1 } }
    }

    @Test("Every change of many tasks at once is there in the end")
    func changes() async {
        let counter = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { Self.count(to: 1_000, in: counter) }
            }
        }
        #expect(counter.withLock { $0 } == 8_000)
    }

    @Test("An error of the body comes out with its type, what was written stays, and the lock is open again")
    func errors() {
        let names = Lock(["first"])
        #expect(throws: Refusal()) {
            try names.withLock { names throws(Refusal) in
                names.append("second")
                throw Refusal()
            }
        }
        #expect(names.withLock { $0 } == ["first", "second"])
    }

    @Test("What the body returns is given to the caller, also a closure that is no value of its own")
    func results() {
        let calls = Lock<[@Sendable () -> Int]>([{ 1 }, { 2 }])
        #expect(calls.withLock { $0.popLast() }?() == 2)
        #expect(calls.withLock { $0.count } == 1)
    }
}
