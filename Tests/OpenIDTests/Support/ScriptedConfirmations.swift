import BackendAPI
import OpenID
import ServerCore
import Synchronization

/// Confirmations that a test answers in place of a phone.
final class ScriptedConfirmations: ConfirmationService {
    private struct Entry: Sendable {
        let id: CeremonyID
        let order: ConfirmationOrder
        var state: ConfirmationState
    }

    private let random: any RandomSource
    private let clock: any WallClock
    private let transactions: any OpenIDTransactionRunner
    private let entries = Mutex<[Entry]>([])
    private let refusal = Mutex<ServerError?>(nil)
    private let step = Mutex<(@Sendable () -> Void)?>(nil)
    private let asked = Mutex<[Duration]>([])

    init(random: any RandomSource, clock: any WallClock, transactions: any OpenIDTransactionRunner) {
        self.random = random
        self.clock = clock
        self.transactions = transactions
    }

    /// Orders so far.
    var orders: [ConfirmationOrder] { entries.withLock { $0.map(\.order) } }

    /// Lets every order fail.
    func refuse(_ error: ServerError?) { refusal.withLock { $0 = error } }

    /// Runs something whenever an order is placed, such as the time that a push service takes.
    func whenever(begun step: (@Sendable () -> Void)?) { self.step.withLock { $0 = step } }

    /// Waits that were asked for, longer than none.
    var waits: [Duration] { asked.withLock { $0 } }

    /// Answers an order.
    func answer(_ id: CeremonyID, _ state: ConfirmationState) {
        entries.withLock { entries in
            for index in entries.indices where entries[index].id == id { entries[index].state = state }
        }
    }

    func begin(
        _ order: ConfirmationOrder, client: ClientContext, with companion: @escaping ConfirmationCompanion
    ) async throws(ServerError) -> BegunConfirmation {
        if let step = step.withLock({ $0 }) { step() }
        if let error = refusal.withLock({ $0 }) { throw error }
        let renewed = entries.withLock { $0.first { $0.id == order.renewed && $0.state == .waiting }?.id }
        let id = renewed ?? CeremonyID(from: random)
        let begins = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try companion(id, transaction)
        }
        guard begins else { throw .forbidden }
        entries.withLock { $0.append(Entry(id: id, order: order, state: .waiting)) }
        var digits: ShownChannelLinking?
        if case .push = order.channel { digits = ShownChannelLinking(mode: .typed, digits: "42") }
        return BegunConfirmation(
            id: id, link: LinkForPhone(text: "signet://x", picture: []), digits: digits,
            expiresAt: clock.now() + (order.lifetime ?? .seconds(120)))
    }

    func state(
        of id: CeremonyID, for initiator: Initiator, unlike known: ConfirmationState?, atMost wait: Duration,
        pretendedUntil end: Timestamp?
    ) async throws(ServerError) -> ConfirmationState {
        if wait > .zero { asked.withLock { $0.append(wait) } }
        let state = state(of: id, for: initiator)
        guard let end, state == .unknown else { return state }
        return clock.now() < end ? .waiting : .expired
    }

    func state(of id: CeremonyID, for initiator: Initiator, in snapshot: any ServerSnapshot) -> ConfirmationState {
        state(of: id, for: initiator)
    }

    private func state(of id: CeremonyID, for initiator: Initiator) -> ConfirmationState {
        let entry = entries.withLock { $0.first { $0.id == id && $0.order.initiator == initiator } }
        return entry?.state ?? .unknown
    }

    func cancel(_ id: CeremonyID, for initiator: Initiator, client: ClientContext) async throws(ServerError) {
        answer(id, .expired)
    }
}
