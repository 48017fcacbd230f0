import Octets
import Synchronization
import UAF

/// Checks passwords on threads of their own, as many at the same time as there are lanes.
///
/// A name always takes the same lane, so its tries are counted and checked one after the other, and good ones are not
/// counted against each other: of many names in many processes no more than the limit are ever heard
/// (``PasswordThrottle``). Addresses take turns, and what finds no place in a lane is refused at once.
final class PasswordGate: Sendable {
    /// A password that waits for the thread that checks it; wiped by whoever takes it.
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
    private let lanes: [HashingLane]

    init(
        settings: PasswordLoginSettings, transactions: any ServerTransactionRunner, clock: any WallClock,
        lanes: [HashingLane]? = nil
    ) {
        self.clock = clock
        throttle = PasswordThrottle(settings, transactions)
        self.lanes = lanes ?? (0..<max(settings.laneCount, 1)).map { _ in HashingLane() }
    }

    /// Throws ``ServerError/throttled(retryAfter:)``: to be asked before anything is looked up.
    func requireRoom(for attempt: PasswordThrottle.Attempt) async throws(ServerError) {
        try await throttle.requireRoom(for: attempt, at: clock.now())
    }

    /// Throws ``ServerError/throttled(retryAfter:)`` without looking at the password,
    /// ``ServerError/overloaded(retryAfter:)`` when there is no place or no memory to look at it,
    /// ``ServerError/storageUnavailable`` when it cannot be counted, or ``ServerError/unauthorized``.
    ///
    /// `known` says that `record` is a user's and no stand-in; a stand-in never matches.
    func requireMatch(
        _ password: Password, _ record: PasswordRecord, known: Bool, _ attempt: PasswordThrottle.Attempt
    ) async throws(ServerError) {
        try await requireRoom(for: attempt)
        let lane = lanes[Int(UInt(bitPattern: attempt.name.hashValue) % UInt(lanes.count))]
        let refusal = await withCheckedContinuation { (continuation: CheckedContinuation<ServerError?, Never>) in
            let job = HashingLane.Job(
                run: { continuation.resume(returning: await self.refusal(password, record, known: known, attempt)) },
                drop: { continuation.resume(returning: .overloaded(retryAfter: .seconds(5))) })
            switch lane.enqueue(job, from: attempt.address) {
            case .admitted, .replaced: return
            case .sourceIsFull: continuation.resume(returning: .throttled(retryAfter: .seconds(5)))
            case .queueIsFull: job.drop()
            }
        }
        if let refusal { throw refusal }
    }

    /// Counts and checks when it is the attempt's turn.
    ///
    /// A check that could not be made stays counted: it must not make earlier ones forgotten.
    private func refusal(
        _ password: Password, _ record: PasswordRecord, known: Bool, _ attempt: PasswordThrottle.Attempt
    ) async -> ServerError? {
        do throws(ServerError) {
            try await throttle.begin(attempt, at: clock.now())
            let result = await HashingLane.onThread {
                password.withOctets { octets in
                    Result { () throws(ServerError) in try record.matches(octets) && known }
                }
            }
            guard try result.get() else { return .unauthorized }
            try await throttle.forgive(attempt)
            return nil
        } catch {
            return error
        }
    }
}
