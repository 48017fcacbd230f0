import LoadControl
import NIOCore

/// State of the TLS handshakes of one event loop: those that wait, and those that have begun lately.
///
/// A handshake costs more than a request. An event loop that made all those that have arrived before it went on with requests
/// would, beyond some load, give every client a connection and none of them an answer. So handshakes have turns:
///
/// - If none waits and the server has capacity for a request, a handshake begins at once.
/// - Waiting handshakes begin one after the other, for a ``HandshakeScheduler/quantum`` at a time; in between the loop
///   reads and runs requests.
/// - While the server has no capacity (``LoadController/hasRoom(besides:)``) one begins in each ``leastPace``, since most
///   of their requests would be refused.
/// - An address with more than an equal share (``HandshakeShares``) gets one of ``greedyTurns`` slots while others wait,
///   and leaves some capacity free while none does. Its share is checked on arrival and again when the slot comes up.
/// - Once the longest wait exceeds ``fairTime``, the newest is next: its client is the most likely to be still waiting.
/// - A connection that has waited for the time of an answer (``OverloadSettings/answerTime``) is closed.
///
/// It does nothing itself and reads no clock: ``HandshakeScheduler`` carries out what it says.
struct HandshakeQueue: Hashable {
    typealias Key = Int
    /// Says whether there is room for the request of one more, by whether its address has more than its part.
    typealias Room = (_ isGreedy: Bool) -> Bool

    /// State of a connection that has sent its first octets.
    enum Connection: Hashable {
        case waiting
        /// It was closed while it waited; it is found when its turn comes.
        case gone
        /// The handshake has begun within ``expectation``; its first request is expected, or has come, or never will.
        case begun(isExpected: Bool)
    }

    /// Step that is next.
    enum Step: Hashable {
        case begin(Key, waited: TimeAmount)
        case drop(Key, QueueShedReason)
        case full
        case none
    }

    private struct Known: Hashable {
        /// Key of the address; nil where many clients share it, or it counts no longer.
        var source: String?
        var state: Connection
    }

    private struct Entry: Hashable {
        let key: Key
        let since: NIODeadline
    }

    /// Time after which one begins though there is no room.
    static let leastPace: TimeAmount = .milliseconds(10)
    /// Longest wait with which they still come in order.
    static let fairTime: TimeAmount = .milliseconds(100)
    /// Time in which the first request of a client is expected once its handshake has begun.
    static let expectation: TimeAmount = .milliseconds(500)
    /// Slots of which one is for addresses with more than their share.
    static let greedyTurns = 4

    private let patience: TimeAmount
    private var connections: [Key: Known] = [:]
    private var waiting = CircularBuffer<Entry>()
    /// Handshakes of addresses with more than their share.
    private var greedy = CircularBuffer<Entry>()
    /// Handshakes that have begun within ``expectation``.
    private var begun = CircularBuffer<Entry>()
    private(set) var shares = HandshakeShares()
    private var turn = 0
    private var lastKey = 0
    private var latest: NIODeadline?

    init(patience: TimeAmount) {
        self.patience = patience
    }

    var isEmpty: Bool { waiting.isEmpty && greedy.isEmpty }

    var nextForgetting: NIODeadline? { begun.first.map { $0.since + Self.expectation } }

    func state(of key: Key) -> Connection? { connections[key]?.state }

    /// Takes in a connection from `source`, nil where that is the address of many; it begins at once where `room` is given and
    /// there is some, else its turn comes.
    mutating func enter(from source: String?, at now: NIODeadline, room: Room?) -> (key: Key, begins: Bool) {
        lastKey += 1
        let isGreedy = source.map { shares.add($0) } ?? false
        connections[lastKey] = Known(source: source, state: .waiting)
        if let room, hasRoom(room, isGreedy: isGreedy, at: now) {
            begin(lastKey, at: now)
            return (lastKey, true)
        }
        let entry = Entry(key: lastKey, since: now)
        if isGreedy { greedy.append(entry) } else { waiting.append(entry) }
        return (lastKey, false)
    }

    /// The first request of a connection has come, or never will; true when it was expected.
    ///
    /// The connection remains one of its address until ``expectation`` is over: else one that closes each connection after a few octets
    /// would never have more than its part.
    mutating func settle(_ key: Key) -> Bool {
        guard case .begun(isExpected: true)? = state(of: key) else { return false }
        connections[key]?.state = .begun(isExpected: false)
        return true
    }

    /// A connection was closed; one that waited is no longer one of its address.
    mutating func leave(_ key: Key) {
        guard let known = connections[key], known.state == .waiting else { return }
        connections[key] = Known(source: nil, state: .gone)
        if let source = known.source { shares.remove(source) }
    }

    /// Forgets those whose handshake has begun long ago; the number of those whose request was still expected.
    mutating func forgetLate(at now: NIODeadline) -> Int {
        var count = 0
        while let first = begun.first, now - first.since >= Self.expectation {
            begun.removeFirst()
            if settle(first.key) { count += 1 }
            forget(first.key)
        }
        return count
    }

    mutating func next(at now: NIODeadline, room: Room) -> Step {
        if let key = takeFirstThatIsOver(at: now) { return drop(key) }
        guard !isEmpty else { return .none }
        guard hasRoom(room, isGreedy: waiting.isEmpty, at: now) else { return .full }
        // All that waited may turn out to be of addresses that have too much.
        guard let entry = pick(at: now) else { return next(at: now, room: room) }
        // Also one that stood behind younger ones.
        guard !isOver(entry, at: now) else { return drop(entry.key) }
        begin(entry.key, at: now)
        return .begin(entry.key, waited: now - entry.since)
    }

    private func hasRoom(_ room: Room, isGreedy: Bool, at now: NIODeadline) -> Bool {
        room(isGreedy) || latest.map { now - $0 >= Self.leastPace } ?? true
    }

    private mutating func begin(_ key: Key, at now: NIODeadline) {
        latest = now
        connections[key]?.state = .begun(isExpected: true)
        begun.append(Entry(key: key, since: now))
    }

    private mutating func forget(_ key: Key) {
        if let source = connections.removeValue(forKey: key)?.source { shares.remove(source) }
    }

    private mutating func drop(_ key: Key) -> Step {
        let reason: QueueShedReason = state(of: key) == .gone ? .abandoned : .deadline
        forget(key)
        return .drop(key, reason)
    }

    private func isOver(_ entry: Entry, at now: NIODeadline) -> Bool {
        state(of: entry.key) == .gone || now - entry.since > patience
    }

    /// Takes out the first one when it has left or has waited too long.
    private mutating func takeFirstThatIsOver(at now: NIODeadline) -> Key? {
        if let first = waiting.first, isOver(first, at: now) { return waiting.removeFirst().key }
        if let first = greedy.first, isOver(first, at: now) { return greedy.removeFirst().key }
        return nil
    }

    /// The first or last of those whose turn it is; nil when all that waited turn out to be of addresses that have too much.
    private mutating func pick(at now: NIODeadline) -> Entry? {
        turn = (turn + 1) % Self.greedyTurns
        if turn == 0 || waiting.isEmpty, let entry = Self.take(from: &greedy, at: now) { return entry }
        // Each stands behind the others once at most.
        while let entry = Self.take(from: &waiting, at: now) {
            guard let source = connections[entry.key]?.source, shares.hasMuch(source) else { return entry }
            greedy.append(entry)
        }
        return nil
    }

    private static func take(from line: inout CircularBuffer<Entry>, at now: NIODeadline) -> Entry? {
        guard let first = line.first else { return nil }
        return now - first.since > fairTime ? line.popLast() : line.popFirst()
    }
}

/// Number of handshakes of each address that wait, or have begun within ``HandshakeQueue/expectation``.
struct HandshakeShares: Hashable {
    /// Number that is no more than an equal part, however many addresses there are.
    static let least = 8

    private var counts: [String: Int] = [:]
    private var total = 0

    /// Adds one of an address; true when it has more than an equal part with it.
    mutating func add(_ source: String) -> Bool {
        counts[source, default: 0] += 1
        total += 1
        return hasMuch(source)
    }

    /// Whether an address has more than an equal part.
    func hasMuch(_ source: String) -> Bool {
        counts[source, default: 0] > max(Self.least, total / max(1, counts.count))
    }

    mutating func remove(_ source: String) {
        let left = counts[source, default: 1] - 1
        counts[source] = left > 0 ? left : nil
        total -= 1
    }
}
