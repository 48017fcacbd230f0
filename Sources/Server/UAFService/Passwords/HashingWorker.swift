import Locking
import ServerCore
import Synchronization

/// Lane for work that takes a processor for long, one job after the other.
///
/// The work itself runs on a separate thread (``onThread(_:)``): it never holds up the threads of the cooperative pool,
/// which answer all clients.
final class HashingWorker: Sendable {
    /// Something to do.
    struct Job: Sendable {
        let run: @Sendable () async -> Void
        /// Says that it will not be done, because the lane is full.
        let drop: @Sendable () -> Void
    }

    private struct State: Sendable {
        var queue: FairQueue<String, Job>
        /// Jobs that are done when no other waits.
        var last: FairQueue<String, Job>
        var isRunning = false

        var count: Int { queue.count + last.count }
    }

    private let state: Mutex<State>

    init(limit: Int, limitPerSource: Int) {
        let queue = FairQueue<String, Job>(limit: limit, limitPerSource: limitPerSource)
        state = Mutex(State(queue: queue, last: queue))
    }

    var count: Int { state.withLock { $0.count } }

    /// Adds a job, or one that is done `last`, and returns at once what became of it.
    ///
    /// Another source's job that makes room is dropped. The bounds hold for both kinds apart.
    func enqueue(_ job: Job, from source: String, last: Bool = false) -> FairQueue<String, Job>.Admission {
        let (admission, mustStart) = state.withLock { state in
            let admission =
                last ? state.last.append(job, from: source) : state.queue.append(job, from: source)
            let mustStart = !state.isRunning && state.count > 0
            if mustStart { state.isRunning = true }
            return (admission, mustStart)
        }
        if case .replaced(let other) = admission { other.drop() }
        // A separate task: the job of one request must not be cancelled with another one.
        if mustStart { Task { await run() } }
        return admission
    }

    private func run() async {
        while let job = next() { await job.run() }
    }

    private func next() -> Job? {
        state.withLock { state in
            if let job = state.queue.next() ?? state.last.next() { return job }
            state.isRunning = false
            return nil
        }
    }

    /// Does `work` on a new thread, which ends with it; a thread costs far less than a password.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let job: @Sendable () -> Void = { continuation.resume(returning: work()) }
            do throws(DetachedThread.Failure) {
                try DetachedThread.start(job)
            } catch {
                // Better late in this thread than never.
                job()
            }
        }
    }
}

/// Bounded queue that is fair among the sources its elements come from.
///
/// Sources take turns: a source with one element waiting goes next after one of each other source, however many those
/// have waiting. A full queue makes room for a source with few by dropping the last of the one with most.
struct FairQueue<Source: Hashable & Sendable, Element: Sendable>: Sendable {
    /// Result of adding an element.
    enum Admission {
        case admitted
        /// It waits, in place of this one of another source.
        case replaced(Element)
        case sourceIsFull
        case queueIsFull
    }

    private let limit: Int
    private let limitPerSource: Int
    private var waiting: [Source: [Element]] = [:]
    private var turns: [Source] = []
    private(set) var count = 0

    init(limit: Int, limitPerSource: Int) {
        self.limit = limit
        self.limitPerSource = limitPerSource
    }

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
