import Logging
package import OpenID
import ServerCore

/// Worker that sends outgoing messages: to one receiver one at a time, to several at once (``DeliveryTurns``).
///
/// A message is claimed before it is sent, by its number of tries in the database: of two processes one sends, and what is
/// killed while it sends leaves a message that is tried again under the same identifier once ``claimTime`` is over. After a
/// 2xx was noted the message is gone. What fails waits (``OpenIDSettings/Outgoing/retries``, each a fifth more or less by
/// chance) and is a dead letter in the end. Webhooks keep their order: while one waits, later ones of its receiver wait too.
/// A failure of the receiver ends its turn; messages of other kinds that it refuses one by one do not.
package final class DeliveryWorker: Sendable {
    /// Time between two looks at the database.
    private static let interval: Duration = .seconds(1)

    private let turns: DeliveryTurns
    private let troubles: DeliveryTroubles
    private let notes: DeliveryLog
    private let makers: [OutgoingMessage.Kind: any OutgoingRequestMaker]
    private let sender: any OutgoingSender
    private let ports: DeliveryPorts
    private let metrics = DeliveryMetrics()

    package init(
        _ settings: OpenIDSettings.Outgoing, makers: [any OutgoingRequestMaker], sender: any OutgoingSender,
        ports: DeliveryPorts
    ) {
        turns = DeliveryTurns(seatCount: settings.parallelLimit)
        troubles = DeliveryTroubles(logger: ports.logger)
        notes = DeliveryLog(settings: settings, ports: ports)
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
                let receivers = await ports.leadership.leads(.outgoing) ? await takeTurns() : []
                for receiver in receivers { group.addTask { await self.work(receiver, isBounded: true) } }
                // A receiver that has had its turn has more messages, most likely.
                try? await Task.sleep(for: receivers.isEmpty ? Self.interval : Self.interval / 20)
            }
        }
    }

    /// Sends what is due now, and returns when each receiver has had its turn or has failed.
    package func pass() async {
        let receivers = await takeTurns()
        await withDiscardingTaskGroup { group in
            for receiver in receivers { group.addTask { await self.work(receiver, isBounded: false) } }
        }
    }

    private func takeTurns() async -> [OutgoingReceiver] {
        do throws(ServerError) {
            let now = ports.clock.now()
            let due = try await ports.transactions.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.dueReceivers(at: now)
            }
            metrics.found(due: due.reduce(0) { $0 + $1.count })
            return turns.take(from: due.map(\.receiver), at: now)
        } catch {
            ports.logger.error("outgoing messages cannot be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    /// Sends to a receiver until it fails, nothing is due, or the time of its turn is over, where that is bounded.
    private func work(_ receiver: OutgoingReceiver, isBounded: Bool) async {
        defer { turns.end(receiver) }
        do throws(ServerError) {
            let now = ports.clock.now()
            let messages = try await ports.transactions.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.dueMessages(of: receiver, at: now)
            }
            for message in messages where !Task.isCancelled {
                guard try await deliver(message), !isBounded || turns.hasTime(receiver) else { return }
            }
        } catch {
            ports.logger.error(
                "outgoing messages wait: the database failed",
                metadata: ["receiver": "\(receiver.name)", "error": "\(error)"])
        }
    }

    /// Whether the next message of the receiver may follow.
    private func deliver(_ message: OutgoingMessage) async throws(ServerError) -> Bool {
        guard let claimed = try await notes.claim(message) else { return false }
        let clock = ContinuousClock()
        let start = clock.now
        turns.begins(claimed.receiver)
        let outcome = await attempt(claimed)
        let time = clock.now - start
        switch outcome {
        case .obsolete:
            try await notes.remove(claimed)
            try await makers[claimed.kind]?.ended(claimed, isDelivered: false)
        case .delivered(let maker):
            turns.answered(claimed.receiver, after: time, failedAt: nil)
            try await notes.remove(claimed)
            metrics.delivered(claimed.kind, after: time)
            troubles.delivered(to: claimed.receiver, at: ports.clock.now())
            try await maker.ended(claimed, isDelivered: true)
        case .failed(let failure, let maker):
            return try await failed(claimed, failure, after: time, maker)
        }
        return true
    }

    private func failed(
        _ message: OutgoingMessage, _ failure: DeliveryFailure, after time: Duration,
        _ maker: (any OutgoingRequestMaker)?
    ) async throws(ServerError) -> Bool {
        metrics.failed(message.kind, failure.word, after: time)
        let noted = try await notes.failed(message, failure.word)
        let now = ports.clock.now()
        troubles.failed(noted, failure, at: now)
        let next = noted.state == .waiting ? noted.nextAttemptAt : nil
        turns.answered(message.receiver, after: time, failedAt: failure.isOfReceiver ? now : nil, next: next)
        if noted.state == .dead {
            metrics.gaveUp(message.kind)
            try await maker?.ended(message, isDelivered: false)
        }
        return !failure.isOfReceiver && (message.kind != .webhook || noted.state == .dead)
    }

    private enum Outcome {
        case obsolete
        case delivered(any OutgoingRequestMaker)
        case failed(DeliveryFailure, (any OutgoingRequestMaker)?)
    }

    private func attempt(_ message: OutgoingMessage) async -> Outcome {
        guard let maker = makers[message.kind] else { return .failed(DeliveryFailure(.unconfigured), nil) }
        let request: OutgoingRequest?
        do throws(ServerError) {
            request = try await maker.request(for: message, at: ports.wall.now())
        } catch {
            return .failed(DeliveryFailure(.unmade), maker)
        }
        guard let request else { return .obsolete }
        do throws(OutgoingFailure) {
            let status = try await sender.send(request)
            guard (200..<300).contains(status) else { return .failed(DeliveryFailure(status: status), maker) }
            return .delivered(maker)
        } catch {
            return .failed(DeliveryFailure(error), maker)
        }
    }
}
