package import BackendAPI
import JOSE
import LoadControl
import Logging
package import ServerCore
package import UAF

/// Terms of a dispatch that only this server's own pages and services set.
package struct DispatchTerms: Sendable {
    /// Lifetime of the token; nil: by the settings.
    package var lifetime: Duration?
    /// Operation behind the code that this one takes the place of on a page: while it waits for a phone, it goes on with
    /// the new token.
    package var renewed: CeremonyID?
    /// Way of the sign-in that a shown text names; nil for other texts.
    package var signIn: AuditEvent.SignInChannel?
    /// Runs the transaction that begins the operation, with rows of the caller; nil: it has no other rows.
    package var run: (@Sendable (PendingBegin) async throws(ServerError) -> BeginResult)?

    package init() {}
}

/// Operation that a transaction is about to begin.
package struct PendingBegin: Sendable {
    let operation: OutOfBandCeremony
    let renewed: CeremonyID?
    let limits: OperationLimits
    let event: AuditEvent
    let delivery: AuditEvent?

    /// Begins the operation with what `companion` writes for the ceremony of a name; when it returns false, nothing is written.
    package func write(
        in transaction: any ServerTransaction,
        with companion: (CeremonyID) throws(ServerTransactionFailure) -> Bool = { _ in true }
    ) throws(ServerTransactionFailure) -> BeginResult {
        try BeginOperation(in: transaction, limits: limits, event: event, delivery: delivery)
            .begin(operation, renewing: renewed, with: companion)
    }
}

extension OutOfBandService {
    /// Makes a token and delivers it to a phone, or says why not.
    ///
    /// The operation is durable before anything leaves the server.
    ///
    /// Throws ``ServerError/malformedRequest``, ``ServerError/unauthorized``, ``ServerError/forbidden``,
    /// ``ServerError/policyViolation`` for a weaker way of linking than is allowed,
    /// ``ServerError/tooManyOperations(retryAfter:)``, also when a phone has the code to be renewed,
    /// ``ServerError/quietHours(retryAfter:)`` and, while too many push messages are on their way,
    /// ``ServerError/overloaded(retryAfter:)``: nothing was begun then.
    package func dispatch(
        _ request: DispatchRequest, for operation: OperationKind, authorization: InitiatorAuthorization,
        client: ClientContext, _ terms: DispatchTerms = DispatchTerms()
    ) async throws(ServerError) -> DispatchAnswer {
        let subject = try await admission.subject(of: request.request, for: operation, by: authorization)
        let target = try await target(request.dispatchTargetID, for: authorization)
        let user = Self.user(subject, target)
        let (initiator, evidence) = try await admission.initiator(authorization, of: operation, for: user)
        if case .unknown = subject { return DispatchAnswer(failed: .userNotFound) }
        guard operation == .authentication || user != nil else { return DispatchAnswer(failed: .userNotFound) }
        if request.dispatchTargetID != nil, target == nil || target?.user.id != user?.id {
            return DispatchAnswer(failed: .dispatchTargetNotFound)
        }
        guard let name = request.dispatcher ?? target?.target.dispatcher,
            let dispatcher = dispatchers.current[name]
        else { return DispatchAnswer(failed: .dispatcherNotFound) }
        if let failure = obstacle(dispatcher, target?.target) { return DispatchAnswer(failed: failure) }
        var draft = draft(
            AdmittedOperation(
                initiator: initiator, isByStranger: authorization.isStranger, evidence: evidence, user: user,
                requestContext: request.request.contextText ?? ""),
            operation: operation, lifetime: terms.lifetime)
        draft.signIn = terms.signIn
        draft.target = target?.target
        draft.digits = try digits(request.channelLinking, operation, dispatcher)
        draft.session = request.initiatorSession.map { InitiatorSessionHash(of: $0.utf8) }
        draft.attributes = request.dispatchInformation?.attributes ?? .none
        return try await deliver(draft, by: dispatcher, request.dispatchInformation, client, terms)
    }

    private func target(
        _ text: String?, for caller: InitiatorAuthorization
    ) async throws(ServerError) -> OwnedTarget? {
        guard let id = text.flatMap(DispatchTargetID.init(text:)), let owned = try await targets.target(id),
            admission.reaches(owned.user, caller)
        else { return nil }
        return owned
    }

    /// The user it is about: the named user, else the owner of the named device.
    private static func user(_ subject: OperationAdmission.Subject, _ target: OwnedTarget?) -> User? {
        switch subject {
        case .user(let user): user
        case .anyone: target?.user
        case .unknown: nil
        }
    }

    /// Whether nothing that is known here keeps a dispatcher from reaching a target.
    package func canReach(_ target: DispatchTarget, by name: DispatcherName) -> Bool {
        dispatchers.current[name].map { obstacle($0, target) == nil } ?? false
    }

    private func obstacle(_ dispatcher: any Dispatcher, _ target: DispatchTarget?) -> DispatchResult? {
        if dispatcher.requiresTarget {
            guard let target else { return .dispatchTargetNotFound }
            switch target.destination {
            case nil: return .dispatchTargetExpired
            case .disabledByUser: return .dispatchError
            case .token: break
            }
        }
        let isSealed = target?.encryptionKey != nil
        let mustSeal = dispatcher.requiresEncryption || (target != nil && settings.requiresEncryption)
        return mustSeal && !isSealed ? .dispatchError : nil
    }

    private func digits(
        _ requested: ChannelLinkingMethod?, _ operation: OperationKind, _ dispatcher: any Dispatcher
    ) throws(ServerError) -> LinkingDigits? {
        // A deregistration ends with the redemption: there is no response that could carry digits.
        guard operation != .deregistration else { return nil }
        let policy = settings.linking
        let mode = requested ?? (dispatcher.requiresTarget ? policy.push : policy.scan)
        guard policy.allows(mode, forPush: dispatcher.requiresTarget) else { throw .policyViolation }
        return LinkingDigits(mode, count: policy.digitCount, from: random)
    }

    // MARK: - Delivery

    /// Begins the operation and delivers its payload; what waits for a push service takes a place among the deliveries.
    private func deliver(
        _ draft: OperationDraft, by dispatcher: any Dispatcher, _ information: DispatchInformation?,
        _ client: ClientContext, _ terms: DispatchTerms
    ) async throws(ServerError) -> DispatchAnswer {
        guard dispatcher.requiresTarget else {
            return try await beginAndDeliver(draft, by: dispatcher, information, client, terms)
        }
        guard deliveries.enter() else { throw .overloaded(retryAfter: deliveries.retryAfter) }
        defer { deliveries.leave() }
        return try await beginAndDeliver(draft, by: dispatcher, information, client, terms)
    }

    private func beginAndDeliver(
        _ new: OperationDraft, by dispatcher: any Dispatcher, _ information: DispatchInformation?,
        _ client: ClientContext, _ terms: DispatchTerms
    ) async throws(ServerError) -> DispatchAnswer {
        var draft = new
        let content = draft.content(
            redeemURL: dispatchers.current.redeemURL(
                draft.operation, by: dispatcher.name, origin: settings.origin))
        let dispatch = OutOfBandCeremony.Dispatch(
            dispatcher: dispatcher.name, notification: information?.notification)
        let kept = draft.target == nil ? [] : try contentSeal.seal(content, for: draft.id)
        let row = draft.row(dispatch: dispatch, sealedContent: kept, isPush: dispatcher.requiresTarget)
        let delivered = dispatcher.requiresTarget ? nil : event(.tokenDispatched, draft, client)
        let result = try await begin(row, event: event(.tokenCreated, draft, client), delivery: delivered, terms)
        guard try begun(result) else {
            return DispatchAnswer(failed: result == .targetGone ? .dispatchTargetNotFound : .userNotFound)
        }
        if case .renewed(let id) = result { draft.id = id }
        let parcel = DispatchPayload(
            envelope: try envelope(content, for: draft.target), destination: draft.target?.destination,
            notification: information.map { DispatchPayload.Notification(title: $0.title, body: $0.text) },
            operation: draft.operation, createdAt: draft.createdAt, expiresAt: draft.expiresAt)
        let delivery = await RequestLifetime.away(pausing: true) { await dispatcher.dispatch(parcel) }
        switch delivery {
        case .delivered(let response, let codeText):
            let information = DispatcherInformation(name: dispatcher.name, response: response, codeText: codeText)
            if row.isPush { try await recordDelivery(of: draft, information, client) }
            return DispatchAnswer(
                token: draft.token.text, sessionID: draft.id.text, dispatcherInformation: information,
                channelLinking: draft.digits?.shown)
        case .failed(let failure):
            return try await failed(draft, dispatcher.name, failure, client)
        }
    }

    /// The payload as it is sent: sealed whenever the target has a key to seal with.
    private func envelope(
        _ content: OutOfBandContent, for target: DispatchTarget?
    ) throws(ServerError) -> DispatchPayload.Envelope {
        guard let key = target?.encryptionKey else { return DispatchPayload.Envelope(.plain(content)) }
        guard let token = try? CompactJWE.seal(content.body, to: key.jwk, contentType: "application/json") else {
            throw .sealingFailed
        }
        return DispatchPayload.Envelope(.encrypted(token))
    }

    /// Keeps the name that the push service gave to a message; a link or a picture holds the token, and goes to the
    /// initiator once.
    private func recordDelivery(
        of draft: OperationDraft, _ information: DispatcherInformation, _ client: ClientContext
    ) async throws(ServerError) {
        try await operations.dispatched(
            draft.id, OutOfBandCeremony.Dispatch(dispatcher: information.name, response: information.response),
            event: event(.tokenDispatched, draft, client))
    }

    /// The operation is called off; a destination that the push service does not know any more is forgotten.
    private func failed(
        _ draft: OperationDraft, _ name: DispatcherName, _ failure: DispatchFailure, _ client: ClientContext
    ) async throws(ServerError) -> DispatchAnswer {
        logger.warning(
            "dispatch failed", metadata: ["dispatcher": "\(name.rawValue)", "reason": "\(failure.rawValue)"])
        var event = self.event(.dispatchFailed, draft, client)
        event.reason = failure.rawValue
        try await transactions.cancelOperation(draft.id, .notDispatched, event: event)
        guard failure == .unregistered else { return DispatchAnswer(failed: .dispatchError) }
        if let target = draft.target, let destination = target.destination,
            dispatchers.current.removesUnregisteredClients
        {
            var unset = self.event(.targetModified, draft, client)
            unset.reason = failure.rawValue
            try await targets.unsetPush(destination, of: target.id, event: unset)
        }
        return DispatchAnswer(failed: .dispatchTargetExpired)
    }
}

extension DispatchPayload.Envelope {
    init(_ content: OutOfBandEnvelope.Content) {
        let envelope = OutOfBandEnvelope(content)
        let type: MediaType
        let text: String
        switch content {
        case .plain(let content): (type, text) = (.json, String(decoding: content.body, as: UTF8.self))
        case .encrypted(let token): (type, text) = (.jose, token)
        }
        self.init(
            content: text, contentType: type.essence, version: OutOfBandEnvelope.version,
            text: String(decoding: envelope.body, as: UTF8.self))
    }
}
