/// Messages that wait to be sent, merged: what is said twice is sent once, and counts of one key are added up.
///
/// A batch is written as datagrams. Each begins with the octets `53 47 01` ("SG" and the version) and holds records of a
/// kind (1 octet), a length (2 octets, big endian) and a content. Records of kinds that this version does not know are
/// skipped, so that processes of two versions understand each other as far as both can.
package struct ProcessMessageBatch: Sendable {
    /// Ceremonies, and keys of all limits together, that a batch holds at most; further ones are dropped.
    package static let capacity = 4_096
    /// Time for which a batch may gather that holds nothing urgent: what limits count is not exact to the request, and subscribers
    /// of the audit come later anyway.
    package static let gathering: Duration = .milliseconds(50)
    /// Least number of octets that a datagram must be able to hold: one key of the longest kind fits.
    package static let leastDatagram = 1_024

    private struct CountedKey: Hashable {
        let tally: ProcessMessage.Tally
        let key: String
    }

    private var moved: [CeremonyID] = []
    private var known: Set<CeremonyID> = []
    private var counts: [CountedKey: Int] = [:]
    private var changed: Set<ProcessMessage.SharedRows> = []

    package init() {}

    package var isEmpty: Bool { moved.isEmpty && counts.isEmpty && changed.isEmpty }

    /// Whether a request waits for what it says, so that it has to be sent at once.
    package var isUrgent: Bool { !moved.isEmpty || changed.contains(.keys) }

    /// Adds a message; returns how many of its entries found no place.
    package mutating func add(_ message: ProcessMessage) -> Int {
        switch message {
        case .moved(let ceremonies): return ceremonies.count { !add($0) }
        case .counted(let tally, let entries): return entries.count { !add($0, to: tally) }
        case .changed(let rows):
            changed.insert(rows)
            return 0
        }
    }

    private mutating func add(_ ceremony: CeremonyID) -> Bool {
        if known.contains(ceremony) { return true }
        guard moved.count < Self.capacity else { return false }
        moved.append(ceremony)
        known.insert(ceremony)
        return true
    }

    private mutating func add(_ entry: ProcessMessage.KeyCount, to tally: ProcessMessage.Tally) -> Bool {
        let key = CountedKey(tally: tally, key: entry.key)
        guard counts[key] != nil || counts.count < Self.capacity else { return false }
        counts[key] = min(Int(UInt16.max), (counts[key] ?? 0) + entry.count)
        return true
    }

    /// The batch as datagrams of at most `limit` octets, ``leastDatagram`` or more; none when there is nothing to send.
    package func datagrams(atMost limit: Int) -> [[UInt8]] {
        var writer = DatagramWriter(limit: max(limit, Self.leastDatagram))
        for rows in ProcessMessage.SharedRows.allCases where changed.contains(rows) {
            writer.append(.changed, [rows.rawValue])
        }
        for ceremony in moved { writer.append(.moved, ceremony.octets) }
        for (key, count) in counts {
            writer.append(.counted, [key.tally.rawValue] + DatagramWriter.number(count) + Array(key.key.utf8))
        }
        return writer.finished
    }

    /// The messages of a datagram; none for octets that no process has written.
    package static func messages(in datagram: [UInt8]) -> [ProcessMessage] {
        DatagramReader.messages(in: datagram)
    }
}

/// Kinds of records of a datagram.
private enum RecordKind: UInt8 {
    case moved = 1
    case counted = 2
    case changed = 3

    static let header: [UInt8] = [0x53, 0x47, 1]
}

/// Writer of datagrams, which begins a further one when a record does not fit any more.
private struct DatagramWriter {
    let limit: Int
    private var done: [[UInt8]] = []
    private var current = RecordKind.header

    init(limit: Int) { self.limit = limit }

    mutating func append(_ kind: RecordKind, _ content: [UInt8]) {
        let record = [kind.rawValue] + Self.number(content.count) + content
        if current.count + record.count > limit {
            done.append(current)
            current = RecordKind.header
        }
        current += record
    }

    var finished: [[UInt8]] { current.count > RecordKind.header.count ? done + [current] : done }

    static func number(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}

/// Reader of datagrams; what does not fit the form ends it without an error.
private enum DatagramReader {
    static func messages(in datagram: [UInt8]) -> [ProcessMessage] {
        guard datagram.starts(with: RecordKind.header) else { return [] }
        var rest = datagram.dropFirst(RecordKind.header.count)
        var messages: [ProcessMessage] = []
        while rest.count >= 3 {
            let head = Array(rest.prefix(3))
            let length = Int(head[1]) << 8 | Int(head[2])
            rest = rest.dropFirst(3)
            guard rest.count >= length else { break }
            let content = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            if let message = message(RecordKind(rawValue: head[0]), content) { messages.append(message) }
        }
        return messages
    }

    private static func message(_ kind: RecordKind?, _ content: [UInt8]) -> ProcessMessage? {
        switch kind {
        case .moved: return CeremonyID(content).map { .moved([$0]) }
        case .counted: return counted(content)
        case .changed:
            guard content.count == 1 else { return nil }
            return ProcessMessage.SharedRows(rawValue: content[0]).map { .changed($0) }
        case nil: return nil
        }
    }

    private static func counted(_ content: [UInt8]) -> ProcessMessage? {
        guard content.count >= 3, let tally = ProcessMessage.Tally(rawValue: content[0]),
            let key = String(validating: content.dropFirst(3), as: UTF8.self),
            let entry = ProcessMessage.KeyCount(key: key, count: Int(content[1]) << 8 | Int(content[2]))
        else { return nil }
        return .counted(tally, [entry])
    }
}
