import LoadControl
import NIOCore
import Testing

@testable import HTTPEngine

/// All that clients, requests and clocks can do to the handshakes of an event loop, in every order up to some length.
@Suite("TLS: every interleaving of arrivals, departures and turns keeps the rules of handshakes")
struct HandshakeInterleavingTests {
    @Test(
        "Each connection begins or is dropped once, and is forgotten in the end; without room one begins in each ten milliseconds"
    )
    func all() {
        var (lives, seen): ([QueueLife], Set<QueueLife.Fingerprint>) = ([QueueLife()], [])
        var faults: [String] = []
        for _ in 0..<QueueLife.depth {
            var next: [QueueLife] = []
            for life in lives {
                for event in QueueLife.Event.allCases where life.permits(event) {
                    var life = life
                    life.play(event)
                    faults += life.faults
                    if life.faults.isEmpty, seen.insert(life.fingerprint).inserted {
                        faults += life.faultsOfTheEnd()
                        next.append(life)
                    }
                }
            }
            lives = next
        }
        #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(5))")
        #expect(seen.count > 1_000, "\(seen.count) states")
    }
}

/// The handshakes of an event loop, with all that is known of them from outside.
private struct QueueLife {
    enum Event: CaseIterable {
        /// A connection of one address, of another one, of a proxy.
        case comes, otherComes, sharedComes
        /// The same, where it may begin at once if there is room.
        case comesToRoom, comesToNoRoom
        case firstLeaves, lastLeaves, firstIsSettled
        case turnWithRoom, turnWithoutRoom
        case momentPasses, fairTimeEnds, patienceEnds
    }

    private enum Fate { case waiting, gone, begun, over }

    static let depth = 5
    private static let patience: TimeAmount = .seconds(5)

    private var queue = HandshakeQueue(patience: patience)
    private var now = NIODeadline.uptimeNanoseconds(1)
    private var fates: [HandshakeQueue.Key: Fate] = [:]
    private var arrivals: [HandshakeQueue.Key: NIODeadline] = [:]
    private var expected = 0
    private var latest: NIODeadline?
    private var events: [Event] = []
    private(set) var faults: [String] = []

    /// What decides on all that can follow.
    struct Fingerprint: Hashable {
        let queue: HandshakeQueue
        let now: NIODeadline
        let latest: NIODeadline?
        let expected: Int
    }

    var fingerprint: Fingerprint { Fingerprint(queue: queue, now: now, latest: latest, expected: expected) }

    private func keys(_ fate: Fate) -> [HandshakeQueue.Key] { fates.filter { $0.value == fate }.map(\.key).sorted() }

    func permits(_ event: Event) -> Bool {
        switch event {
        case .firstLeaves, .lastLeaves: !keys(.waiting).isEmpty
        case .firstIsSettled: !keys(.begun).isEmpty
        case .turnWithRoom, .turnWithoutRoom: !queue.isEmpty
        default: true
        }
    }

    mutating func play(_ event: Event) {
        events.append(event)
        switch event {
        case .comes: enter("a", room: nil)
        case .otherComes: enter("b", room: nil)
        case .sharedComes: enter(nil, room: nil)
        case .comesToRoom: enter("a") { _ in true }
        case .comesToNoRoom: enter("a") { _ in false }
        case .firstLeaves: leave(keys(.waiting).first)
        case .lastLeaves: leave(keys(.waiting).last)
        case .firstIsSettled: if let key = keys(.begun).first, queue.settle(key) { expected -= 1 }
        case .turnWithRoom: turn(hasRoom: true)
        case .turnWithoutRoom: turn(hasRoom: false)
        case .momentPasses: pass(.milliseconds(6))
        case .fairTimeEnds: pass(HandshakeQueue.fairTime + .milliseconds(1))
        case .patienceEnds: pass(Self.patience + .milliseconds(1))
        }
        require(queue.isEmpty == (keys(.waiting) + keys(.gone)).isEmpty, "loses one that waits")
        require((queue.nextForgetting == nil) == keys(.begun).isEmpty, "never forgets one that has begun")
        for key in keys(.waiting) { require(queue.state(of: key) == .waiting, "does not know one that waits") }
    }

    private mutating func enter(_ source: String?, room: HandshakeQueue.Room?) {
        let (key, begins) = queue.enter(from: source, at: now, room: room)
        require(fates[key] == nil, "gives a number twice")
        (fates[key], arrivals[key]) = (.waiting, now)
        require(!begins || room != nil, "begins without being asked for room")
        if begins { begin(key, hasRoom: room?(false) ?? false) }
    }

    private mutating func leave(_ key: HandshakeQueue.Key?) {
        guard let key else { return }
        queue.leave(key)
        fates[key] = .gone
    }

    private mutating func begin(_ key: HandshakeQueue.Key, hasRoom: Bool) {
        require(fates[key] == .waiting, "begins one that does not wait")
        require(
            hasRoom || latest.map { now - $0 >= HandshakeQueue.leastPace } ?? true, "begins too many without room")
        (fates[key], latest) = (.begun, now)
        expected += 1
    }

    private mutating func turn(hasRoom: Bool) {
        switch queue.next(at: now, room: { _ in hasRoom }) {
        case .begin(let key, let waited):
            require(waited <= Self.patience, "begins one whose client has given up")
            require(key == nextInOrder, "begins one out of its order")
            begin(key, hasRoom: hasRoom)
        case .drop(let key, let reason):
            require(fates[key] == (reason == .abandoned ? .gone : .waiting), "drops one for the wrong reason")
            fates[key] = .over
        case .full: require(!hasRoom, "refuses where there is room")
        case .none: require(false, "takes none of those that wait")
        }
    }

    /// The one that waits longest, or shortest when that is too long.
    private var nextInOrder: HandshakeQueue.Key? {
        let waiting = keys(.waiting)
        let longest = waiting.first.flatMap { arrivals[$0] }.map { now - $0 } ?? .zero
        return longest > HandshakeQueue.fairTime ? waiting.last : waiting.first
    }

    private mutating func pass(_ time: TimeAmount) {
        now = now + time
        expected -= queue.forgetLate(at: now)
        for key in keys(.begun) where queue.state(of: key) == nil { fates[key] = .over }
    }

    private mutating func require(_ condition: Bool, _ fault: String) {
        if !condition { faults.append("\(fault): \(events)") }
    }

    /// Faults that show when no other one comes: all have their turn, though there is no room, and nothing of them is left.
    func faultsOfTheEnd() -> [String] {
        var life = self
        for _ in 0..<4 * Self.depth where !life.queue.isEmpty {
            life.play(.momentPasses)
            if life.permits(.turnWithoutRoom) { life.play(.turnWithoutRoom) }
        }
        life.require(life.queue.isEmpty, "leaves one without its turn")
        life.play(.patienceEnds)
        life.require(life.fates.values.allSatisfy { $0 == .over } && life.expected == 0, "does not forget one")
        life.require(life.queue.shares == HandshakeShares(), "counts one that is over as one of its address")
        life.require(life.fates.keys.allSatisfy { life.queue.state(of: $0) == nil }, "keeps one that is over")
        return life.faults
    }
}
