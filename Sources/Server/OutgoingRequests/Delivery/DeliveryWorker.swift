import Logging
package import ServerCore
import Synchronization

/// Worker that sends outgoing messages: to one receiver one at a time, to several at once.
///
/// A message is claimed before it is sent, by its number of tries in the database: of two processes one sends, and what is
/// killed while it sends leaves a message that is tried again under the same identifier once ``claimTime`` is over. After a
/// 2xx was noted the message is gone. What fails waits (``WebSiteSettings/Outgoing/retries``, each a fifth more or less by
/// chance) and is a dead letter in the end. Webhooks keep their order: while one waits, later ones of its receiver wait too.
package final class DeliveryWorker: Sendable {
    /// Time between two looks at the database.
    private static let interval: Duration = .seconds(1)

    private let parallelLimit: Int
    private let notes: DeliveryNotes
    private let makers: [OutgoingMessage.Kind: any OutgoingRequestMaker]
    private let sender: any OutgoingSender
    private let ports: DeliveryPorts
    private let metrics = DeliveryMetrics()
    private let busy = Mutex<Set<DeliveryQueueReceiver>>([])

    /// Worker with the makers of all kinds that are configured.
    package init(
        _ settings: WebSiteSettings.Outgoing, makers: [any OutgoingRequestMaker], sender: any OutgoingSender,
        ports: DeliveryPorts
    ) {
        parallelLimit = settings.parallelLimit
        notes = DeliveryNotes(settings: settings, ports: ports)
        var byKind: [OutgoingMessage.Kind: any OutgoingRequestMaker] = [:]
        for maker in makers {
            for kind in maker.kinds { byKind[kind] = maker }
        }
        self.makers = byKind
        self.sender = sender
        self.ports = ports
    }

    /// Sends what is due, until the task is cancelled; of several processes one works at a time.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let queues = await ports.leadership.leads(.outgoing) ? await takeQueues() : []
                for queue in queues { group.addTask { await self.work(queue) } }
                // Whoever has sent a whole queue has more to send, most likely.
                try? await Task.sleep(for: queues.isEmpty ? Self.interval : Self.interval / 20)
            }
        }
    }

    /// Sends what is due now, and returns when each receiver has had its queue or has failed.
    package func pass() async {
        let queues = await takeQueues()
        await withDiscardingTaskGroup { group in
            for queue in queues { group.addTask { await self.work(queue) } }
        }
    }

    /// Queues of receivers to which nothing is sent at the moment, as many as may be served; they are busy from now on.
    private func takeQueues() async -> [DeliveryQueue] {
        do throws(ServerError) {
            let now = ports.clock.now()
            let limit = (parallelLimit + 1) * OutgoingMessage.queueLength
            let due = try await ports.transactions.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.dueMessages(at: now, limit: limit)
            }
            metrics.found(due: due.count)
            let queues = DeliveryQueue.queues(of: due)
            return busy.withLock { busy in
                let taken = queues.filter { !busy.contains($0.receiver) }.prefix(max(0, parallelLimit - busy.count))
                busy.formUnion(taken.map(\.receiver))
                return Array(taken)
            }
        } catch {
            ports.logger.error("outgoing messages cannot be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func work(_ queue: DeliveryQueue) async {
        defer { _ = busy.withLock { $0.remove(queue.receiver) } }
        for message in queue.messages where !Task.isCancelled {
            do throws(ServerError) {
                guard try await deliver(message) else { return }
            } catch {
                ports.logger.error(
                    "outgoing message", metadata: ["id": "\(message.id)", "error": "\(error)"])
                return
            }
        }
    }

    /// Whether the message is done with, so that the next one of its receiver may follow.
    private func deliver(_ message: OutgoingMessage) async throws(ServerError) -> Bool {
        guard let claimed = try await notes.claim(message) else { return false }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = await attempt(claimed)
        let time = clock.now - start
        switch outcome {
        case .obsolete:
            try await notes.remove(claimed)
        case .delivered(let maker):
            try await notes.remove(claimed)
            metrics.delivered(claimed.kind, after: time)
            try await maker.ended(claimed, isDelivered: true)
        case .failed(let word, let maker):
            metrics.failed(claimed.kind, word, after: time)
            guard try await notes.failed(claimed, word) == .dead else { return claimed.kind != .webhook }
            metrics.gaveUp(claimed.kind)
            try await maker?.ended(claimed, isDelivered: false)
        }
        return true
    }

    private enum Outcome {
        case obsolete
        case delivered(any OutgoingRequestMaker)
        case failed(String, (any OutgoingRequestMaker)?)
    }

    private func attempt(_ message: OutgoingMessage) async -> Outcome {
        guard let maker = makers[message.kind] else { return .failed(DeliveryMetrics.Word.unconfigured.rawValue, nil) }
        let request: OutgoingRequest?
        do throws(ServerError) {
            request = try await maker.request(for: message, at: ports.wall.now())
        } catch {
            return .failed(DeliveryMetrics.Word.unmade.rawValue, maker)
        }
        guard let request else { return .obsolete }
        do throws(OutgoingFailure) {
            let status = try await sender.send(request)
            guard (200..<300).contains(status) else { return .failed(OutgoingFailure.refusedByStatus.rawValue, maker) }
            return .delivered(maker)
        } catch {
            return .failed(error.rawValue, maker)
        }
    }
}
