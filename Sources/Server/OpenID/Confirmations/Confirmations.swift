import BackendAPI
package import ServerCore
import UAF
package import UAFService

/// Orders of web sites as out-of-band authentications: picks the device and the way to it, and follows the ceremony.
package struct Confirmations: ConfirmationService {
    private let outOfBand: OutOfBandService
    private let targets: any DispatchTargetRepository
    private let credentials: any CredentialRepository
    private let transactions: any OpenIDTransactionRunner
    private let polling: StatusPolling
    private let settings: OutOfBandSettings
    private let clock: any WallClock
    /// The time of day, for readers of the confirmation's time.
    private let wall: any WallClock

    package init(_ services: ServerServices, transactions: any OpenIDTransactionRunner) {
        outOfBand = services.outOfBand
        targets = services.storage.targets
        credentials = services.storage.credentials
        self.transactions = transactions
        polling = services.polling
        settings = services.settings.outOfBand
        clock = services.ports.clock
        wall = services.ports.wall
    }

    // MARK: - Begin

    /// Begins an order; beside what the protocol names it throws ``ServerError/dispatcherUnknown`` where no link can be
    /// made.
    package func begin(
        _ order: ConfirmationOrder, client: ClientContext, with companion: @escaping ConfirmationCompanion
    ) async throws(ServerError) -> BegunConfirmation {
        let lifetime = order.lifetime ?? settings.tokenLifetime(.authentication)
        guard OutOfBandSettings.tokenLifetimes.contains(lifetime) else { throw .malformedRequest }
        let route = try await route(of: order)
        let request = DispatchRequest(
            GetUAFRequest(try context(of: order, for: route.user)), dispatcher: route.dispatcher,
            dispatchTargetID: route.target?.text,
            dispatchInformation: order.notification.map { DispatchInformation(title: $0) },
            channelLinking: order.linking, initiatorSession: order.session)
        var terms = DispatchTerms()
        (terms.lifetime, terms.renewed, terms.signIn) = (lifetime, order.renewed, order.signIn)
        terms.run = { [transactions] pending async throws(ServerError) in
            try await transactions.transaction { transaction throws(ServerTransactionFailure) in
                try pending.write(in: transaction) { id throws(ServerTransactionFailure) in
                    try companion(id, transaction)
                }
            }
        }
        let expiresAt = clock.now() + lifetime
        let answer = try await outOfBand.dispatch(
            request, for: .authentication, authorization: try order.authorization, client: client, terms)
        guard let id = answer.sessionID.flatMap({ CeremonyID(text: $0) }) else { throw Self.error(answer.result) }
        return BegunConfirmation(
            id: id, link: try answer.dispatcherInformation?.linkForPhone(), digits: answer.channelLinking,
            expiresAt: expiresAt)
    }

    /// Way of an order to the phone.
    private struct Route {
        let user: User?
        let dispatcher: DispatcherName
        let target: DispatchTargetID?
    }

    private func route(of order: ConfirmationOrder) async throws(ServerError) -> Route {
        switch order.channel {
        case .code(let user):
            if let user, let least = order.assurance {
                let keys = try await credentials.credentials(of: user.id)
                guard keys.contains(where: { $0.isAsked(for: least) }) else { throw .policyViolation }
            }
            return Route(user: user, dispatcher: try outOfBand.linkDispatcher, target: nil)
        case .push(let user, let wanted):
            guard let target = try await pushTarget(of: user, wanted, least: order.assurance),
                let name = dispatcher(of: target), outOfBand.canReach(target, by: name)
            else { throw .policyViolation }
            return Route(user: user, dispatcher: name, target: target.id)
        }
    }

    /// The device asked for, or the one registered last, that can be pushed to and holds a key that will do.
    private func pushTarget(
        of user: User, _ wanted: DispatchTargetID?, least: Assurance?
    ) async throws(ServerError) -> DispatchTarget? {
        let holder = CredentialHolder(user: user, credentials: try await credentials.credentials(of: user.id))
        return try await targets.targets(of: user.id).last { target in
            guard wanted == nil || target.id == wanted, case .token = target.destination else { return false }
            return holder.credentials(on: target.id).contains { $0.isAsked(for: least) }
        }
    }

    /// The dispatcher of a device, else any that pushes.
    private func dispatcher(of target: DispatchTarget) -> DispatcherName? {
        let names = outOfBand.dispatchers.current.pushing.map(\.name)
        return names.first { $0 == target.dispatcher } ?? names.first
    }

    private func context(
        of order: ConfirmationOrder, for user: User?
    ) throws(ServerError) -> AuthenticationContext {
        var transactions: [Transaction] = []
        if let text = order.text {
            guard (1...4_096).contains(text.utf8.count) else { throw .malformedRequest }
            transactions = [Transaction(contentType: .plainText, content: Array(text.utf8))]
        }
        var context = AuthenticationContext(username: user?.name, transactions: transactions)
        context.assurance = order.assurance?.rawValue
        return context
    }

    /// Time after which a push service that has taken nothing may be asked again.
    private static let deliveryPause: Duration = .seconds(30)

    /// The error of an order whose dispatch has failed; the device could be reached, as far as is known here.
    private static func error(_ result: DispatchResult) -> ServerError {
        switch result {
        case .dispatcherNotFound: .dispatcherUnknown
        case .dispatchError: .undelivered(retryAfter: deliveryPause)
        default: .policyViolation
        }
    }

    // MARK: - State and end

    package func state(
        of id: CeremonyID, for initiator: Initiator, unlike known: ConfirmationState?, atMost wait: Duration,
        pretendedUntil end: Timestamp?
    ) async throws(ServerError) -> ConfirmationState {
        let wait = known == nil ? .zero : min(wait, settings.statusWait)
        return try await polling.status(of: id, atMost: wait) {
            $0 == known && !$0.isFinal
        } look: {
            () async throws(ServerError) in
            let found = try await state(of: id, for: initiator)
            guard let end, found == .unknown else { return found }
            return clock.now() < end ? .waiting : .expired
        }
    }

    private func state(
        of id: CeremonyID, for initiator: Initiator
    ) async throws(ServerError) -> ConfirmationState {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try state(of: id, for: initiator, in: snapshot)
        }
    }

    package func state(
        of id: CeremonyID, for initiator: Initiator, in snapshot: any ServerSnapshot
    ) throws(ServerTransactionFailure) -> ConfirmationState {
        let query = ConfirmationQuery(
            snapshot: snapshot, initiator: initiator, now: clock.now(), wall: wall.now(), memory: settings.retention)
        return try query.state(of: id)
    }

    package func cancel(
        _ id: CeremonyID, for initiator: Initiator, client: ClientContext
    ) async throws(ServerError) {
        let record = AuditEvent(.operationCancelled, at: clock.now(), client: client)
        let isOver = try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Bool in
            guard let operation = try transaction.operation(id), operation.initiator == initiator else { return false }
            try AdvanceOperation(in: transaction).cancel(operation, .superseded, event: record)
            return true
        }
        if isOver { outOfBand.moved(id) }
    }
}

extension ConfirmationOrder {
    fileprivate var authorization: InitiatorAuthorization {
        get throws(ServerError) {
            switch initiator {
            case .accessKey(let name): return .accessKey(name)
            case .client(let id): return isForPage ? .page(id) : .client(id)
            case .administrator: return .administrator
            case .anonymous, .user: throw ServerError.forbidden
            }
        }
    }
}
