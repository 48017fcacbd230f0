import Synchronization

/// Admission of requests at the front: which of them may begin, by their importance and by the share of their sender.
///
/// Each request belongs to a class with a share of the limit on the requests in flight, so that under load the requests
/// whose loss costs least are refused first (priorities as in DAGOR: Zhou and others, "Overload Control for Scaling
/// WeChat Microservices", 2018). Fairness is by per-key shares: a sender who holds more than an equal part of the limit
/// falls into a lower class. Any sender may use what others leave unused.
package struct Admission: Sendable {
    /// Place of a request in its ceremony.
    package enum Step: Sendable, Hashable {
        /// It begins something.
        case first
        /// It begins something on a connection that was made for it: a refusal would make the handshake useless.
        case connected
        /// It goes on with what was begun: work that a refusal would make useless.
        case further
    }

    /// Sender of a request, as far as its head tells.
    package struct Source: Sendable, Hashable {
        /// Key of the client's address; empty for what came through no network.
        package let address: String
        /// Digest of the credentials of a portal or user, not verified; nil for a request without.
        package let credentials: Int?
        /// Whether the sender comes back before the time that its last refusal has named.
        package let isImpatient: Bool

        package init(address: String, credentials: Int? = nil, isImpatient: Bool = false) {
            self.address = address
            self.credentials = credentials
            self.isImpatient = isImpatient
        }

        fileprivate var keys: [Key] {
            guard let credentials else { return [.address(address)] }
            return [.address(address), .credentials(credentials), pair(credentials)]
        }

        fileprivate func pair(_ credentials: Int) -> Key { .pair(address: address, credentials: credentials) }
    }

    fileprivate enum Key: Hashable {
        case address(String)
        case credentials(Int)
        /// Credentials at one address; counted only to know how many an address shows.
        case pair(address: String, credentials: Int)
    }

    /// Share of the limit that first steps may take.
    private static let firstShare = 0.8
    /// The same for a sender who holds more than an equal part.
    private static let greedyFirstShare = 0.6

    private var limit: ConcurrencyLimit
    private var held: [Key: Int] = [:]
    private var addressCount = 0
    private var credentialsCount = 0
    /// Credentials with requests in flight at each address.
    private var credentialsCounts: [String: Int] = [:]

    package private(set) var inFlight = 0

    package init(_ settings: OverloadSettings) {
        limit = ConcurrencyLimit(settings)
    }

    package var currentLimit: Double { limit.value }

    /// Lets a request in, and counts it until ``leave(_:)``; false when it is refused.
    ///
    /// `waited` is the time since its arrival; nil for a request that arrives now, and for one that was let in before and has
    /// given its place up, whose time says nothing about this process.
    package mutating func admits(
        _ step: Step, from source: Source, waited: Duration?, at now: Duration
    ) -> Bool {
        if inFlight == 0 { limit.rest(until: now) } else { limit.advance(to: now) }
        if let waited { limit.observe(waited, of: .dispatch, at: now) }
        guard inFlight < room(for: step, source) else { return false }
        enter(source)
        return true
    }

    /// Whether a first step of a sender who has nothing in flight would be let in, besides `others` that are expected; `isGreedy` for
    /// one who has more than an equal part of something else.
    package func hasRoom(besides others: Int, isGreedy: Bool = false) -> Bool {
        inFlight + others < room(isGreedy ? Self.greedyFirstShare : Self.firstShare)
    }

    package mutating func observeDispatch(_ latency: Duration, at now: Duration) {
        limit.observe(latency, of: .dispatch, at: now)
    }

    package mutating func observeCommit(_ latency: Duration, at now: Duration) {
        limit.observe(latency, of: .commit, at: now)
    }

    /// Counts a request that was let in before, whether there is room or not.
    package mutating func enter(_ source: Source) {
        inFlight += 1
        for key in source.keys {
            if held[key] == nil { count(key, 1) }
            held[key, default: 0] += 1
        }
    }

    package mutating func leave(_ source: Source) {
        inFlight -= 1
        for key in source.keys {
            let left = (held[key] ?? 1) - 1
            held[key] = left > 0 ? left : nil
            if left == 0 { count(key, -1) }
        }
    }

    private mutating func count(_ key: Key, _ change: Int) {
        switch key {
        case .address: addressCount += change
        case .credentials: credentialsCount += change
        case .pair(let address, _):
            let count = (credentialsCounts[address] ?? 0) + change
            credentialsCounts[address] = count > 0 ? count : nil
        }
    }

    // MARK: - Classes

    /// Requests in flight below which one of this class is admitted; at least one.
    private func room(for step: Step, _ source: Source) -> Int {
        room(share(of: step, source))
    }

    private func room(_ share: Double) -> Int { max(1, Int((limit.value * share).rounded(.up))) }

    private func share(of step: Step, _ source: Source) -> Double {
        switch (step, isWithinShare(source)) {
        case (.further, true): 1
        case (.first, _) where source.isImpatient, (.connected, _) where source.isImpatient: 0.2
        case (.connected, true): 0.9
        case (.first, true): Self.firstShare
        // Below the first steps of others: a sender who is greedy with further steps alone would leave them nothing.
        case (.further, false): 0.7
        case (.first, false), (.connected, false): Self.greedyFirstShare
        }
    }

    /// Whether one more request leaves the sender with no more than an equal part of the limit, by address and by
    /// credentials.
    private func isWithinShare(_ source: Source) -> Bool {
        let addresses = addressCount + isNew(.address(source.address))
        guard isWithinPart(.address(source.address), senders: addresses) else { return false }
        guard let credentials = source.credentials else { return true }
        // The credentials are not verified yet. Made-up credentials from one address count as one sender for all
        // others, and as many senders only at that address.
        let all = min(credentialsCount + isNew(.credentials(credentials)), addresses)
        let here = (credentialsCounts[source.address] ?? 0) + isNew(source.pair(credentials))
        return isWithinPart(.credentials(credentials), senders: max(all, here))
    }

    private func isWithinPart(_ key: Key, senders: Int) -> Bool {
        Double((held[key] ?? 0) + 1) <= max(1, limit.value / Double(max(1, senders)))
    }

    private func isNew(_ key: Key) -> Int { held[key] == nil ? 1 : 0 }
}

/// Place of an admitted request among the requests in flight, given back once.
package final class AdmissionTicket: RequestLifetime.Slot {
    private let controller: LoadController
    private let step: Admission.Step
    private let source: Admission.Source
    private let isHeld = Mutex(true)
    private let isClosed = Mutex(false)

    init(_ controller: LoadController, _ step: Admission.Step, _ source: Admission.Source) {
        self.controller = controller
        self.step = step
        self.source = source
    }

    package func leave() {
        if swap(to: false) { controller.leave(source) }
    }

    package func enter() {
        guard !isClosed.withLock({ $0 }) else { return }
        if swap(to: true) { controller.enter(source) }
    }

    /// Asks for the place again that ``leave()`` gave up, as if the request came now; refused, it stays given up.
    package func retake() -> LoadController.Verdict {
        isHeld.withLock { isHeld -> LoadController.Verdict in
            if !isHeld, let seconds = controller.readmit(step, source) { return .refused(retryAfterSeconds: seconds) }
            isHeld = true
            return .admitted(self)
        }
    }

    /// Gives the place back for good.
    package func close() {
        isClosed.withLock { $0 = true }
        leave()
    }

    /// Whether this changed anything.
    private func swap(to value: Bool) -> Bool {
        isHeld.withLock { isHeld in
            guard isHeld != value else { return false }
            isHeld = value
            return true
        }
    }
}
