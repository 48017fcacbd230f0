/// Bounded queue that is fair among the sources its elements come from.
///
/// Sources take turns: who has one element waiting goes next but for one of each other source, however many those have
/// waiting. A full queue makes room for a source with few by dropping the last of the one with most.
struct FairQueue<Source: Hashable & Sendable, Element: Sendable>: Sendable {
    /// What became of an element.
    enum Admission {
        /// It waits.
        case admitted
        /// It waits, in place of this one of another source.
        case replaced(Element)
        /// It does not wait: its source has as many waiting as it may.
        case sourceIsFull
        /// It does not wait: the queue is full.
        case queueIsFull
    }

    private let limit: Int
    private let limitPerSource: Int
    private var waiting: [Source: [Element]] = [:]
    private var turns: [Source] = []
    /// Elements that wait.
    private(set) var count = 0

    /// Holds `limit` elements, `limitPerSource` of them from one source.
    init(limit: Int, limitPerSource: Int) {
        self.limit = limit
        self.limitPerSource = limitPerSource
    }

    /// Adds an element at the end of those of its source.
    mutating func append(_ element: Element, from source: Source) -> Admission {
        let own = waiting[source]?.count ?? 0
        guard own < limitPerSource else { return .sourceIsFull }
        var replaced: Element?
        if count >= limit {
            guard let greediest = turns.max(by: { size($0) < size($1) }), size(greediest) > own + 1 else {
                return .queueIsFull
            }
            replaced = waiting[greediest]?.popLast()
            count -= 1
        }
        if own == 0 { turns.append(source) }
        waiting[source, default: []].append(element)
        count += 1
        return replaced.map { .replaced($0) } ?? .admitted
    }

    /// Takes the first element of the source whose turn it is; nil when none waits.
    mutating func next() -> Element? {
        guard !turns.isEmpty else { return nil }
        let source = turns.removeFirst()
        guard var own = waiting[source], !own.isEmpty else { return nil }
        let element = own.removeFirst()
        waiting[source] = own.isEmpty ? nil : own
        if !own.isEmpty { turns.append(source) }
        count -= 1
        return element
    }

    private func size(_ source: Source) -> Int { waiting[source]?.count ?? 0 }
}
