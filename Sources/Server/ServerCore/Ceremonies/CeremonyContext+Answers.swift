import BackendAPI
import Logging
import Octets
import RelyingParty
import UAF

extension CeremonyContext {
    /// The context of a request, or status 1400.
    func requestContext<Context: RequestContext>(
        of request: GetUAFRequest, as type: Context.Type
    ) throws(ServerError) -> Context {
        do throws(BackendAPIError) {
            return try request.context(as: type)
        } catch {
            throw .refused(.badRequest)
        }
    }

    /// The request context of an operation, or status 1400.
    func requestContext<Context: RequestContext>(
        of operation: OutOfBandCeremony, as type: Context.Type
    ) throws(ServerError) -> Context {
        do throws(BackendAPIError) {
            return try Context(text: operation.requestContext)
        } catch {
            throw .refused(.badRequest)
        }
    }

    /// Completes the context of the sender by the phone's statements about itself; status 1400 when they are
    /// unreadable.
    ///
    /// If the phone says that the operation ended there, the ceremony ends here and the status of that is thrown.
    func reported(
        _ response: SendUAFResponse, _ client: ClientContext, in kind: CeremonyKind
    ) async throws(ServerError) -> DeviceReport {
        let context: ResponseContext
        do throws(BackendAPIError) {
            context = try response.context()
        } catch {
            throw .refused(.badRequest)
        }
        var client = client
        client.userAgent = client.userAgent ?? context.userAgent
        let report = DeviceReport(context: context, client: client)
        guard context.isFailure else { return report }
        try await end(kind, in: response, report)
        return report
    }

    /// Rethrows the refusal of a response that is not shown to belong to a request: it consumes nothing and is only
    /// counted.
    func addressed<Value>(
        from client: ClientContext, _ check: () throws(RelyingPartyError) -> Value
    ) throws(ServerError) -> Value {
        do throws(RelyingPartyError) {
            return try check()
        } catch {
            countUnsigned("answer to no request: \(error.rule)", from: client)
            throw .refused(error.status)
        }
    }

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
            countUnsigned("answer to no request: serverData", from: report.client)
            throw .refused(.unacceptableContent)
        }
        let now = ports.clock.now()
        let policy = try await acceptance.policy(state.policyHash)
        let stored = try await stored(state, holder: withHolder ? state.userID : nil)
        if state.isOutOfBand { try Self.requireAwaitingAnswer(stored.operation, at: now) }
        return OpenCeremony(
            state: state, serverData: serverData, policy: policy,
            challenge: policy == nil ? .unknown : now >= state.expiresAt ? .expired : .fresh, report: report,
            operation: stored.operation, holder: stored.holder, answeredAt: now)
    }

    /// The operation of a ceremony and the user with all credentials, in one visit to the storage; none when neither is
    /// asked for.
    private func stored(
        _ state: CeremonyState, holder id: UserID?
    ) async throws(ServerError) -> (operation: OutOfBandCeremony?, holder: CredentialHolder?) {
        guard state.isOutOfBand || id != nil else { return (nil, nil) }
        return try await storage.read { snapshot throws(ServerTransactionFailure) in
            let operation = state.isOutOfBand ? try snapshot.operation(state.id) : nil
            guard let id else { return (operation: operation, holder: nil) }
            return (operation: operation, holder: try snapshot.holder(id))
        }
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

    /// Writes the outcome; throws the status of the precondition that did not hold.
    ///
    /// Nothing may be granted before this returns.
    func commit(_ outcome: CeremonyOutcome) async throws(ServerError) {
        let event = outcome.event
        if !outcome.isRecorded {
            countUnsigned(
                event.reason ?? "refused", from: event.client, user: event.userID, ceremony: event.ceremonyID)
        }
        let result = try await storage.unitOfWork.commit(outcome)
        let ending = outcome.operation ?? outcome.inBand
        if let ending {
            statusNotifier.moved(ending.id)
            throttleAddress(after: ending, result, outcome.event)
        }
        switch result {
        case .committed:
            if outcome.isRecorded { tell(event, isReported: ending?.isReported ?? false) }
        case .refused(let refusal):
            if !refusal.isReplay {
                tell(event.refused(refusal))
            } else if outcome.isRecorded {
                countUnsigned(refusal.rawValue, from: event.client, user: event.userID, ceremony: event.ceremonyID)
            }
            throw .refused(refusal.statusCode)
        }
    }

    /// A report or wrong digits that nobody has signed slow down the address they came from.
    private func throttleAddress(after ending: OperationEnding, _ result: CommitResult, _ event: AuditEvent) {
        let incident: UserIncident? =
            result == .refused(.channelNotLinked) ? .wrongDigits : ending.isReported ? .report : nil
        guard let incident, !ending.proof.counts(as: incident) else { return }
        unsigned.count(from: event.client, at: event.at)
    }

    /// The answer that a response service ends with when the phone gets nothing.
    ///
    /// Throws ``ServerError/clockSkewTooBig`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    func answer(to error: ServerError, in service: StaticString) throws(ServerError) -> AcceptedAnswer {
        if error == .clockSkewTooBig { throw error }
        return AcceptedAnswer(ServerResponse(statusCode: try finalStatusCode(of: error, in: service)))
    }

    /// The status code that ends a service; throws ``ServerError/storageUnavailable``, which is an HTTP status.
    func finalStatusCode(of error: ServerError, in service: StaticString) throws(ServerError) -> StatusCode {
        switch error {
        case .refused(let status): return status
        case .storageUnavailable: throw error
        // None of them is an answer that a phone could make use of: whoever runs the server has to hear of it.
        case .unauthorized, .throttled, .overloaded, .signingFailed, .sealingFailed, .notConfigured, .userExists,
            .userUnknown, .credentialUnknown, .targetUnknown, .targetNameInUse, .tooManyTargets, .dispatcherUnknown,
            .forbidden, .signatureInvalid, .requestReplayed, .clockSkewTooBig, .malformedRequest, .tooManyOperations,
            .quietHours, .policyViolation, .invalidName, .invalidPassword, .wrongMasterKey, .invalidMasterKey,
            .invalidMetadata, .invalidSetting:
            ports.logger.error("\(service): no answer", metadata: ["error": "\(error)"])
            return .internalServerError
        }
    }

    /// Requests are logged only: anybody can make them, and they change nothing.
    func log(_ event: StaticString, user: UserID?, _ client: ClientContext) {
        ports.logger.info(
            "\(event)", metadata: ["userId": "\(user?.text ?? "-")", "traceId": "\(client.traceID ?? "-")"])
    }
}
