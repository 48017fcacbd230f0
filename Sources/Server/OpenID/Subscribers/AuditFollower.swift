import Logging
package import ServerCore
import Synchronization
package import UAFService

/// Follower of the audit: gives each subscriber the records that it wants, in the order of each chain.
///
/// What a subscriber writes and the place up to which it has read are one transaction, which fails where another process
/// has moved the place. A new subscriber begins at the end of each chain; a chain that begins later is read from its start.
/// Each subscriber is followed by itself: one that takes long holds no other one up.
package final class AuditFollower: Sendable {
    /// Records read at a time, which bounds memory and transactions.
    package static let pageSize = 200
    /// Time between two rounds when nothing wakes the follower.
    private static let interval: Duration = .seconds(1)
    /// Least time between two rounds, so that many sign-ins share one.
    private static let pace: Duration = .milliseconds(50)
    /// Chain without a name: a subscriber with a place in it has begun.
    private static let beginning = ""

    private let subscribers: [any AuditSubscriber]
    private let log: any AuditLog
    private let transactions: any OpenIDTransactionRunner
    private let ports: ServerPorts
    private let damage: AuditDamage
    private let wakes: [AuditFollowerWake]
    private let failed = Mutex<Set<String>>([])

    /// Follower that hands the audit of a server to these subscribers.
    package init(
        _ subscribers: [any AuditSubscriber], of services: ServerServices, transactions: any OpenIDTransactionRunner
    ) {
        self.subscribers = subscribers
        log = services.storage.audit
        ports = services.ports
        self.transactions = transactions
        damage = services.auditDamage
        let wakes = subscribers.map { _ in AuditFollowerWake() }
        self.wakes = wakes
        if !subscribers.isEmpty { services.statusNotifier.listen { for wake in wakes { wake.call() } } }
    }

    /// Gives new subscribers their positions; called before the server answers the first request, so that no event is
    /// missed.
    package func begin() async throws(ServerError) {
        for subscriber in subscribers { try await begin(subscriber.name) }
    }

    /// Follows until the task is cancelled, or not at all without a subscriber; of several processes one works at a time.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for (subscriber, wake) in zip(subscribers, wakes) {
                group.addTask { await self.run(subscriber, wake) }
            }
        }
    }

    private func run(_ subscriber: any AuditSubscriber, _ wake: AuditFollowerWake) async {
        while !Task.isCancelled {
            if await ports.processes.leadership.leads(.subscribers) { await round(of: subscriber) }
            try? await Task.sleep(for: Self.pace)
            await wake.wait(atMost: Self.interval, ports.pause)
        }
    }

    package func round() async {
        await withDiscardingTaskGroup { group in
            for subscriber in subscribers { group.addTask { await self.round(of: subscriber) } }
        }
    }

    /// Hands out everything that is new to a subscriber, which is tried again in the next round when it fails.
    private func round(of subscriber: any AuditSubscriber) async {
        do throws(ServerError) {
            try await follow(subscriber)
            if failed.withLock({ $0.remove(subscriber.name) }) != nil {
                ports.logger.notice(
                    "a follower of the audit works again", metadata: ["subscriber": "\(subscriber.name)"])
            }
        } catch {
            guard failed.withLock({ $0.insert(subscriber.name).inserted }) else { return }
            ports.logger.error(
                "a follower of the audit failed; the server tries again",
                metadata: ["subscriber": "\(subscriber.name)", "error": "\(error)"])
        }
    }

    private func begin(_ name: String) async throws(ServerError) {
        guard try await places(of: name)[Self.beginning] == nil else { return }
        var ends: [String: Int64] = [:]
        for chain in try await log.chains() {
            ends[chain] = try await log.end(of: chain)?.sequence
        }
        let found = ends
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard try transaction.movePlace(of: name, in: Self.beginning, from: nil, to: 0) else { return }
            for (chain, sequence) in found {
                _ = try transaction.movePlace(of: name, in: chain, from: nil, to: sequence)
            }
        }
    }

    private func follow(_ subscriber: any AuditSubscriber) async throws(ServerError) {
        let places = try await places(of: subscriber.name)
        // An operator has forgotten it while it was at work.
        guard places[Self.beginning] != nil else { return try await begin(subscriber.name) }
        for chain in try await log.chains() {
            var place = places[chain]
            while !Task.isCancelled, let next = try await step(subscriber, in: chain, after: place) { place = next }
        }
    }

    /// Hands out one page, and returns the place after it; nil when there is none, or another process has had it.
    private func step(
        _ subscriber: any AuditSubscriber, in chain: String, after place: Int64?
    ) async throws(ServerError) -> Int64? {
        let page = try await log.records(of: chain, after: place ?? 0, limit: Self.pageSize)
        guard let end = page.last?.sequence else { return nil }
        if let exporter = subscriber as? any AuditExporter { try await exporter.export(page) }
        let records = try await read(page, kinds: subscriber.kinds)
        var effect = AuditSubscriberEffect.nothing
        if !records.isEmpty {
            effect = try await subscriber.prepare(records, random: ports.random, at: ports.clock.now())
        }
        let (name, write) = (subscriber.name, effect.write)
        let isMoved = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard try transaction.movePlace(of: name, in: chain, from: place, to: end) else { return false }
            try write(transaction)
            return true
        }
        return isMoved ? end : nil
    }

    /// The records that a subscriber wants; those that cannot be read are named and left out.
    private func read(
        _ page: [AuditRecord], kinds: Set<AuditEvent.Kind>
    ) async throws(ServerError) -> [AuditSubscriberRecord] {
        let names = Set(kinds.map(\.rawValue))
        let entries = page.compactMap { record in
            do throws(AuditRecord.Damage) {
                return try AuditEntry(record)
            } catch {
                let place = AuditRecord.Break(chainID: record.chainID, sequence: record.sequence, reason: error.text)
                damage.note(place.text)
                return nil
            }
        }
        return try await log.opened(entries.filter { names.contains($0.kind) })
            .compactMap { AuditSubscriberRecord($0, kinds: kinds) }
    }

    private func places(of name: String) async throws(ServerError) -> [String: Int64] {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.places(of: name) }
    }
}

/// Call that wakes the follower, also when it comes while the follower works.
private final class AuditFollowerWake: Sendable {
    private struct State {
        var isCalled = false
        var waiting: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    func call() {
        state.withLock { state in
            state.isCalled = true
            state.waiting?.yield()
        }
    }

    /// Returns after a call since the last time, or after `time`.
    func wait(atMost time: Duration, _ pause: any Pause) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.waiting = continuation
            if state.isCalled { continuation.yield() }
        }
        await pause.wait(for: stream, atMost: time)
        state.withLock { $0 = State() }
    }
}
