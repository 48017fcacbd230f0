import LoadControl
import Octets
import ServerCore
import Synchronization
import UAF

/// Checks passwords on separate threads, as many at the same time as there are lanes.
///
/// A name always takes the same lane, so its tries are counted and checked one after the other, and correct passwords
/// are not counted against each other: of many names in many processes no more than the limit are ever checked
/// (``PasswordThrottle``). Addresses take turns, an attempt at a name that is under attack waits until no other does,
/// and an attempt that finds no place in a lane is refused at once.
final class PasswordGate: Sendable {
    /// A password that waits for the thread that checks it; the code that takes it wipes it.
    final class Password: Sendable {
        private let octets: Mutex<[UInt8]>

        init(_ text: String) { octets = Mutex(Array(text.utf8)) }

        /// Length in bytes.
        var count: Int { octets.withLock { $0.count } }

        /// Lends the bytes once and wipes them.
        func withOctets<Value>(_ body: ([UInt8]) -> Value) -> Value {
            var taken = octets.withLock { octets in
                defer { octets = [] }
                return octets
            }
            defer { SecretOctets.wipe(&taken) }
            return body(taken)
        }
    }

    private let clock: any WallClock
    private let throttle: PasswordThrottle
    private let lanes: [HashingWorker]
    private let load: LoadController

    init(
        settings: PasswordLoginSettings, transactions: any ServerTransactionRunner, clock: any WallClock,
        lanes: [HashingWorker]? = nil, load: LoadController = LoadController()
    ) {
        self.clock = clock
        self.load = load
        throttle = PasswordThrottle(settings, transactions)
        self.lanes =
            lanes
            ?? (0..<max(settings.laneCount, 1)).map { _ in
                HashingWorker(limit: settings.queueLimit, limitPerSource: settings.queueLimitPerAddress)
            }
    }

    /// Throws ``ServerError/throttled(retryAfter:)``: to be asked before anything is looked up.
    func requireRoom(for attempt: PasswordThrottle.Attempt) async throws(ServerError) {
        _ = try await throttle.place(of: attempt, at: clock.now())
    }

    /// Throws ``ServerError/throttled(retryAfter:)`` without looking at the password,
    /// ``ServerError/overloaded(retryAfter:)`` when there is no place or no memory to look at it or the request ends
    /// before its turn, ``ServerError/storageUnavailable`` when it cannot be counted, or ``ServerError/unauthorized``.
    ///
    /// `known` says that `record` is a user's and no stand-in; a stand-in never matches.
    func requireMatch(
        _ password: Password, _ record: PasswordRecord, known: Bool, _ attempt: PasswordThrottle.Attempt
    ) async throws(ServerError) {
        let waitsLast = try await throttle.place(of: attempt, at: clock.now()) == .last
        let lane = lanes[Int(UInt(bitPattern: attempt.name.hashValue) % UInt(lanes.count))]
        let place = QueueSlot<ServerError?>()
        let job = job(at: place) { await self.refusal(password, record, known: known, attempt) }
        switch lane.enqueue(job, from: attempt.address, last: waitsLast) {
        case .admitted, .replaced: break
        case .sourceIsFull:
            load.shed(.full, from: .passwords)
            place.withdraw(.throttled(retryAfter: Self.retryTime))
        case .queueIsFull: job.drop()
        }
        load.depth(lanes.reduce(0) { $0 + $1.count }, of: .passwords)
        let refusal = await RequestLifetime.away(pausing: false) {
            await place.outcome(during: RequestLifetime.current, refused: .overloaded(retryAfter: Self.retryTime))
        }
        if let refusal { throw refusal }
    }

    /// Time after which a client may come back that has found no place.
    private static let retryTime: Duration = .seconds(5)

    /// The check at a place of a lane; it is left out when the request has ended before its turn.
    ///
    /// The lane's task belongs to the request that came first, so each check carries the lifetime of its own request.
    private func job(
        at place: QueueSlot<ServerError?>, _ check: @escaping @Sendable () async -> ServerError?
    ) -> HashingWorker.Job {
        let (load, lifetime, enteredAt) = (load, RequestLifetime.current, load.now)
        return HashingWorker.Job(
            run: {
                guard lifetime?.end == nil, place.take() else {
                    place.withdraw(.overloaded(retryAfter: Self.retryTime))
                    return load.shed(lifetime?.shedReason ?? .full, from: .passwords)
                }
                load.waited(load.now - enteredAt, in: .passwords)
                place.end(await RequestLifetime.$current.withValue(lifetime) { await check() })
            },
            drop: {
                if place.withdraw(.overloaded(retryAfter: Self.retryTime)) { load.shed(.full, from: .passwords) }
            })
    }

    /// Counts and checks when it is the attempt's turn.
    ///
    /// A check that could not be made stays counted: it must not make earlier ones forgotten.
    private func refusal(
        _ password: Password, _ record: PasswordRecord, known: Bool, _ attempt: PasswordThrottle.Attempt
    ) async -> ServerError? {
        do throws(ServerError) {
            try await throttle.begin(attempt, at: clock.now())
            let result = await HashingWorker.onThread {
                password.withOctets { octets in
                    Result { () throws(ServerError) in try record.matches(octets) && known }
                }
            }
            guard try result.get() else { return .unauthorized }
            try await throttle.forgive(attempt, at: clock.now())
            return nil
        } catch {
            return error
        }
    }
}
