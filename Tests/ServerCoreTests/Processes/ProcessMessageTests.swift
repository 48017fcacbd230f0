import ServerCore
import TestSupport
import Testing

@Suite("Messages between server processes")
struct ProcessMessageTests {
    private let random = SeededRandom()

    private func entry(_ key: String, _ count: Int = 1) throws -> ProcessMessage.KeyCount {
        try #require(ProcessMessage.KeyCount(key: key, count: count))
    }

    private func messages(in datagrams: [[UInt8]]) -> [ProcessMessage] {
        datagrams.flatMap { ProcessMessageBatch.messages(in: $0) }
    }

    @Test("Every message arrives as it was sent")
    func roundTrip() throws {
        let (one, two) = (CeremonyID(from: random), CeremonyID(from: random))
        var batch = ProcessMessageBatch()
        #expect(batch.isEmpty && batch.datagrams(atMost: 4_096).isEmpty)
        #expect(batch.add(.moved([one, two])) == 0)
        #expect(batch.add(.changed(.keys)) == 0)
        for tally in ProcessMessage.Tally.allCases {
            #expect(batch.add(.counted(tally, [try entry("2001:db8::1 jörg", 513)])) == 0)
        }
        #expect(!batch.isEmpty)
        var expected: Set<ProcessMessage> = [.moved([one]), .moved([two]), .changed(.keys)]
        for tally in ProcessMessage.Tally.allCases {
            expected.insert(.counted(tally, [try entry("2001:db8::1 jörg", 513)]))
        }
        let arrived = messages(in: batch.datagrams(atMost: 4_096))
        #expect(Set(arrived) == expected && arrived.count == expected.count)
    }

    @Test("What is said twice is sent once, and counts of one key are added up to the largest number")
    func merging() throws {
        let id = CeremonyID(from: random)
        var batch = ProcessMessageBatch()
        for _ in 0..<3 { _ = batch.add(.moved([id])) }
        _ = batch.add(.counted(.userRequests, [try entry("a", 7), try entry("a", 8)]))
        _ = batch.add(.counted(.addressRequests, [try entry("a", 65_535), try entry("a", 1)]))
        let arrived = messages(in: batch.datagrams(atMost: 4_096))
        #expect(
            Set(arrived) == [
                .moved([id]), .counted(.userRequests, [try entry("a", 15)]),
                .counted(.addressRequests, [try entry("a", 65_535)]),
            ])
        #expect(arrived.count == 3)
    }

    @Test("Counts and records of the audit may gather; ceremonies that have moved on and keys are urgent")
    func urgency() throws {
        var batch = ProcessMessageBatch()
        #expect(!batch.isUrgent)
        _ = batch.add(.counted(.userRequests, [try entry("a", 7)]))
        #expect(!batch.isUrgent && !batch.isEmpty)
        _ = batch.add(.changed(.audit))
        #expect(!batch.isUrgent)
        var moved = batch
        _ = moved.add(.moved([CeremonyID(from: random)]))
        _ = batch.add(.changed(.keys))
        #expect(moved.isUrgent && batch.isUrgent)
    }

    @Test("A batch is cut into datagrams of the length that is given, and nothing is lost")
    func pieces() throws {
        var batch = ProcessMessageBatch()
        let ids = (0..<1_000).map { _ in CeremonyID(from: random) }
        #expect(batch.add(.moved(ids)) == 0)
        #expect(batch.add(.counted(.userRequests, [try entry(String(repeating: "x", count: 512))])) == 0)
        let datagrams = batch.datagrams(atMost: ProcessMessageBatch.leastDatagram)
        #expect(datagrams.count > 10 && datagrams.allSatisfy { $0.count <= ProcessMessageBatch.leastDatagram })
        let moved = messages(in: datagrams).flatMap { message -> [CeremonyID] in
            if case .moved(let ids) = message { ids } else { [] }
        }
        #expect(moved == ids)
    }

    @Test("A batch holds a bounded number of entries, and says how many found no place")
    func capacity() throws {
        var batch = ProcessMessageBatch()
        let ids = (0..<ProcessMessageBatch.capacity + 3).map { _ in CeremonyID(from: random) }
        #expect(batch.add(.moved(ids)) == 3)
        #expect(batch.add(.moved([ids[0]])) == 0, "what is there already takes no place")
        let entries = try (0..<ProcessMessageBatch.capacity + 2).map { try entry("\($0)") }
        #expect(batch.add(.counted(.addressRequests, entries)) == 2)
    }

    @Test("Counts and keys out of bounds make no entry")
    func bounds() {
        #expect(ProcessMessage.KeyCount(key: "a", count: 0) == nil)
        #expect(ProcessMessage.KeyCount(key: "a", count: 65_536) == nil)
        #expect(ProcessMessage.KeyCount(key: String(repeating: "x", count: 513), count: 1) == nil)
        #expect(ProcessMessage.KeyCount(key: String(repeating: "x", count: 512), count: 65_535) != nil)
    }

    @Test("Octets that no process has written say nothing and end nothing; records of a later version are skipped")
    func strangers() throws {
        let header: [UInt8] = [0x53, 0x47, 1]
        let later: [UInt8] = [99, 0, 2, 7, 7]
        let keys: [UInt8] = [3, 0, 1, 1]
        #expect(ProcessMessageBatch.messages(in: header + later + keys) == [.changed(.keys)])
        let junk: [[UInt8]] = [
            [], [0x53], [0x53, 0x47, 2] + keys, header, header + [3], header + [3, 0, 9, 1], header + [3, 0, 1, 200],
            header + [3, 0, 0], header + [1, 0, 3, 1, 2, 3], header + [2, 0, 2, 1, 0], header + [2, 0, 4, 1, 0, 0, 65],
            header + [2, 0, 4, 1, 0, 1, 0xFF], header + [2, 0, 4, 9, 0, 1, 65],
        ]
        for datagram in junk { #expect(ProcessMessageBatch.messages(in: datagram).isEmpty, "\(datagram)") }
        for length in 0..<64 {
            for _ in 0..<50 { _ = ProcessMessageBatch.messages(in: header + random.bytes(count: length)) }
        }
    }
}
