import Foundation
import ServerCommandSupport
import Synchronization
import Testing

@Suite("Queue of the log")
struct LogQueueTests {
    /// A reader of the log that stops reading until it is told to go on.
    private final class SlowReader: Sendable {
        let gate = NSCondition()
        let isOpen = Mutex(false)
        let written = Mutex<[UInt8]>([])

        func write(_ bytes: [UInt8]) {
            gate.lock()
            while !isOpen.withLock({ $0 }) { gate.wait() }
            gate.unlock()
            written.withLock { $0 += bytes }
        }

        func open() {
            gate.lock()
            isOpen.withLock { $0 = true }
            gate.broadcast()
            gate.unlock()
        }
    }

    private func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

    @Test(
        "S-L5: a reader that has stopped keeps no sender waiting; what is left out is counted and told when it goes on")
    func stalledReader() {
        let reader = SlowReader()
        let dropped = Mutex(0)
        let queue = LogQueue(
            write: reader.write, omission: { Array("omitted \($0)\n".utf8) }, dropped: { dropped.withLock { $0 += 1 } })
        let big = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1_024)
        for _ in 0..<100 { queue.append(big) }
        #expect(dropped.withLock { $0 } > 0, "every call returned, and not everything was taken")
        #expect(!queue.flush(atMost: .milliseconds(50)), "the end of the process does not wait for ever")
        reader.open()
        #expect(queue.flush(atMost: .seconds(60)))
        let text = String(decoding: reader.written.withLock { $0 }.suffix(40), as: UTF8.self)
        #expect(text.contains("omitted \(dropped.withLock { $0 })"))
    }

    @Test("Lines come out whole and in order")
    func order() {
        let reader = SlowReader()
        reader.open()
        let queue = LogQueue(write: reader.write, omission: { _ in [] })
        for number in 0..<2_000 { queue.append(line(number)) }
        #expect(queue.flush(atMost: .seconds(60)))
        #expect(reader.written.withLock { $0 } == (0..<2_000).flatMap(line))
        #expect(!queue.isStuck)
    }

    @Test("Lines that come close to each other are written together: the writer is not woken for each")
    func together() {
        let writes = Mutex(0)
        let queue = LogQueue(write: { _ in writes.withLock { $0 += 1 } }, omission: { _ in [] })
        let start = ContinuousClock.now
        for number in 0..<2_000 {
            queue.append(line(number))
            // Time in which a writer that is woken for each line has written it.
            let next = ContinuousClock.now + .microseconds(50)
            while ContinuousClock.now < next {}
        }
        #expect(queue.flush(atMost: .seconds(60)))
        let most = Int((ContinuousClock.now - start) / .milliseconds(5)) + 1
        #expect(writes.withLock { $0 } <= most && most < 2_000)
    }

    @Test("A line that comes alone is written without another one, also after others")
    func alone() {
        let reader = SlowReader()
        reader.open()
        let queue = LogQueue(write: reader.write, omission: { _ in [] })
        for number in 0..<20 {
            queue.append(line(number))
            #expect(queue.flush(atMost: .seconds(60)))
            #expect(reader.written.withLock { $0 } == (0...number).flatMap(line))
        }
    }
}
