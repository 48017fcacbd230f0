import BackendAPI
import Octets
import RelyingParty
import ServerCore
import UAF

/// Opener of responses: finds the ceremony that a response belongs to, by the state that came back with it.
///
/// A refused response is not shown to belong to a request: it consumes nothing and is only counted.
final class ResponseOpener: Sendable {
    let rules: ResponseRules
    private let acceptance: AcceptanceService
    private let seal: CeremonySeal
    private let transactions: any ServerTransactionRunner
    private let operations: any OperationRepository
    private let holders: UserCredentialCache
    private let clock: any WallClock
    private let log: ServiceLog
    private let committer: OutcomeCommitter

    init(
        rules: ResponseRules, acceptance: AcceptanceService, seal: CeremonySeal,
        transactions: any ServerTransactionRunner, operations: any OperationRepository, holders: UserCredentialCache,
        clock: any WallClock, log: ServiceLog, committer: OutcomeCommitter
    ) {
        self.rules = rules
        self.acceptance = acceptance
        self.seal = seal
        self.transactions = transactions
        self.operations = operations
        self.holders = holders
        self.clock = clock
        self.log = log
        self.committer = committer
    }

    /// Rethrows the refusal of a response that is not shown to belong to a request: it consumes nothing and is only
    /// counted.
    func addressed<Value>(
        from client: ClientContext, _ check: () throws(RelyingPartyError) -> Value
    ) throws(ServerError) -> Value {
        do throws(RelyingPartyError) {
            return try check()
        } catch {
            let finding = error.reason == .channelBinding ? "channel of another server" : "answer to no request"
            log.countUnsigned("\(finding): \(error.rule)", from: client)
            throw .refused(error.status)
        }
    }

    // MARK: - The state of the ceremony

    /// Opens the state that came back with a response, and reads what the storage knows of the ceremony: the operation
    /// and, if asked for, the user with all credentials.
    ///
    /// Status 1498 when it is forged, of another operation, or comes without the cookie it is tied to; status 1491 when
    /// its operation does not wait for a response.
    func open(
        _ serverData: ServerData?, as kind: CeremonyKind, reported report: DeviceReport, withHolder: Bool = false
    ) async throws(ServerError) -> OpenCeremony {
        guard let serverData, let state = try? seal.open(serverData), state.kind == kind,
            state.cookieHash == nil
                || state.cookieHash == (report.client.bindingCookie?.reveal()).map(SessionCookie.hash(ofValue:))
        else {
            log.countUnsigned("answer to no request: serverData", from: report.client)
            throw .refused(.unacceptableContent)
        }
        let now = clock.now()
        let sent = try await acceptance.policy(state.policyHash)
        let stored = try await stored(state, holder: withHolder ? state.userID : nil, at: now)
        if state.isOutOfBand { try Self.requireAwaitingAnswer(stored.operation, at: now) }
        return OpenCeremony(
            state: state, serverData: serverData, policy: sent?.policy, demands: sent?.demands ?? PolicyDemands(),
            challenge: sent == nil ? .unknown : now >= state.expiresAt ? .expired : .fresh, report: report,
            operation: stored.operation, holder: stored.holder, answeredAt: now)
    }

    /// The operation of a ceremony and the user with all credentials, in one visit to the storage; in none when neither is
    /// asked for, or the request has read them just now.
    private func stored(
        _ state: CeremonyState, holder id: UserID?, at now: Timestamp
    ) async throws(ServerError) -> (operation: OutOfBandCeremony?, holder: CredentialHolder?) {
        if state.isOutOfBand {
            let view = try await operations.view(of: state.id)
            guard let id else { return (view?.operation, nil) }
            if let view, view.operation.userID == id { return (view.operation, view.holder) }
            return (view?.operation, try await holder(id))
        }
        guard let id else { return (nil, nil) }
        if let holder = holders.take(for: state, at: now) { return (nil, holder) }
        return (nil, try await holder(id))
    }

    private func holder(_ id: UserID) async throws(ServerError) -> CredentialHolder? {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.holder(id) }
    }

    private static func requireAwaitingAnswer(
        _ operation: OutOfBandCeremony?, at now: Timestamp
    ) throws(ServerError) {
        guard let operation else { throw .refused(.requestInvalid) }
        do throws(CommitRefusal) {
            try operation.machine(at: now).requireAwaitingAnswer()
        } catch {
            throw .refused(error.statusCode)
        }
    }

    // MARK: - The report of the phone

    /// Completes the context of the sender by the phone's statements about itself; status 1400 when they are
    /// unreadable.
    ///
    /// If the phone says that the operation ended there, the ceremony ends here and the status of that is thrown.
    func report(
        in response: SendUAFResponse, from sender: ClientContext, of kind: CeremonyKind
    ) async throws(ServerError) -> DeviceReport {
        let context: ResponseContext
        do throws(BackendAPIError) {
            context = try response.context()
        } catch {
            throw .refused(.badRequest)
        }
        var client = sender
        client.userAgent = client.userAgent ?? context.userAgent
        let report = DeviceReport(context: context, client: client)
        guard context.isFailure else { return report }
        try await end(kind, in: response, report)
        return report
    }

    /// Ends the ceremony of an operation that ended on the phone, by the error report that came in place of assertions.
    ///
    /// Returns when the message has assertions after all, which are then judged like any other. Otherwise it throws: the
    /// status of the check that failed, with nothing consumed, or 1498 once the ending is durable.
    private func end(
        _ kind: CeremonyKind, in response: SendUAFResponse, _ report: DeviceReport
    ) async throws(ServerError) {
        let verification = ReportVerification(of: kind.ruleOperation, settings: rules.settings(acceptance.current))
        let ended = try addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        guard let ended else { return }
        let ceremony = try await open(ended.header.serverData, as: kind, reported: report)
        try addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.require(
                ended, answers: ceremony.sentRequest(under: ceremony.policy ?? Policy(accepted: [])))
        }
        throw try await committer.refuse(
            ceremony,
            with: OpenCeremony.Refusal(
                status: .unacceptableContent, reason: report.context.failureReason, kind: ceremony.failureKind))
    }
}

extension ResponseContext {
    /// Whether the operation ended on the device; a success names its codes too.
    fileprivate var isFailure: Bool { asmStatus ?? .ok != .ok || clientErrorCode ?? .noError != .noError }

    fileprivate var failureReason: String { "device: asmStatusCode \(asmCode), clientErrorCode \(clientCode)" }

    private var asmCode: String { asmStatus.map { "\($0.rawValue)" } ?? "-" }

    private var clientCode: String { clientErrorCode.map { "\($0.rawValue)" } ?? "-" }
}

extension CeremonyKind {
    fileprivate var ruleOperation: Rule.Operation {
        switch self {
        case .registration: .registration
        case .authentication: .authentication
        }
    }
}
