package import Logging
package import UAF

/// Log of the services for the operator: outcomes one by one, refusals of strangers as far as they are not only
/// counted.
///
/// It also turns the errors that a service ends with into the status codes that a phone can read, so that none of the
/// others ends without a word in the log.
package final class ServiceLog: Sendable {
    /// Counter of refusals that their senders can cause at will.
    package let refusals = RefusalCounter()
    /// Steps of unnamed codes (``OutOfBandCeremony/isNamed``).
    package let codes = RefusalCounter(of: "steps of codes without a user")
    private let logger: Logger
    private let clock: any WallClock
    private let signals: ProcessSignals

    package init(logger: Logger, clock: any WallClock, signals: ProcessSignals) {
        self.logger = logger
        self.clock = clock
        self.signals = signals
        signals.listen(to: .deviceRefusals) { [refusals] entry in
            guard let device = DispatchTargetID(text: entry.key) else { return }
            refusals.addRefusals(entry.count, of: device, at: clock.now())
        }
    }

    // MARK: - Outcomes

    /// Counts a refusal that a stranger can cause at will, and logs it while it is among the first.
    ///
    /// It needs no separate audit record: the audit has one for each window, with all that was counted. True while it
    /// is among the first, and may have one.
    @discardableResult
    package func countUnsigned(
        _ reason: String, from client: ClientContext, user: UserID? = nil, ceremony: CeremonyID? = nil
    ) -> Bool {
        guard refusals.count(reason, from: .address(client.network), about: user, at: clock.now()) else { return false }
        var fields = Self.fields(client, user: user, ceremony: ceremony)
        fields["reason"] = "\(reason)"
        logger.notice("refused", metadata: fields)
        return true
    }

    /// Counts a step of an unnamed code, which has no record; `client` is nil for what no request causes.
    package func countCode(_ step: String, from client: ClientContext?) {
        _ = codes.count(step, from: client.map { .address($0.network) }, at: clock.now())
    }

    /// Counts a refused request that a device has signed, here and in the other processes; true while it may have a
    /// separate record.
    package func countSigned(_ reason: String, by device: DispatchTargetID, at now: Timestamp) -> Bool {
        signals.count(device.text, in: .deviceRefusals)
        return refusals.count(reason, from: .device(device), at: now)
    }

    /// Logs the outcome of something that is in the audit, too: a success at info, the rest at notice.
    package func write(_ event: AuditEvent, isReported: Bool = false) {
        var fields = Self.fields(event.client, user: event.userID, ceremony: event.ceremonyID)
        if let status = event.statusCode { fields["uafStatus"] = .stringConvertible(status.rawValue) }
        if let reason = event.reason { fields["reason"] = "\(reason)" }
        if let credential = event.credential { fields["aaid"] = "\(credential.aaid.text)" }
        if isReported { fields["reported"] = "the user says: this was not me" }
        let isDone = event.statusCode == .ok && !isReported
        logger.log(level: isDone ? .info : .notice, "\(event.kind.rawValue)", metadata: fields)
    }

    /// Logs a request for troubleshooting; any client can make one, and it changes nothing.
    package func requested(_ event: StaticString, user: UserID?, _ client: ClientContext) {
        logger.debug("\(event)", metadata: ["userId": "\(user?.text ?? "-")", "traceId": "\(client.traceID ?? "-")"])
    }

    /// Logs an authenticator that is older than its metadata trusts, and is still accepted.
    package func increasedRisk(of model: AAID, user: UserID) {
        logger.notice(
            "authenticator is older than its metadata trusts",
            metadata: ["aaid": "\(model.text)", "userId": "\(user.text)"])
    }

    /// Logs a refusal that should have a record and has none.
    package func notRecorded(_ error: ServerError) {
        logger.error("refusal not recorded", metadata: ["error": "\(error)"])
    }

    private static func fields(_ client: ClientContext, user: UserID?, ceremony: CeremonyID?) -> Logger.Metadata {
        var fields: Logger.Metadata = ["userId": "\(user?.text ?? "-")", "traceId": "\(client.traceID ?? "-")"]
        if let ceremony { fields["sessionId"] = "\(ceremony.text)" }
        if let address = client.address { fields["client"] = "\(address)" }
        return fields
    }

    // MARK: - Status codes

    /// The status code that ends a request service, for errors that are no matter of authorization.
    ///
    /// Throws ``ServerError/unauthorized`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    package func statusCode(
        of error: ServerError, in service: StaticString, _ authorization: RequestAuthorization, _ client: ClientContext
    ) throws(ServerError) -> StatusCode {
        if error == .unauthorized { throw error }
        let status = try finalStatusCode(of: error, in: service)
        if case .refused = error {
            var user: UserID?
            if case .granted(let grant) = authorization { user = grant.user.id }
            countUnsigned("\(service): \(status.rawValue)", from: client, user: user)
        }
        return status
    }

    /// The status code that ends a response service when the phone gets nothing.
    ///
    /// Throws ``ServerError/clockSkewTooBig`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    package func answerStatusCode(of error: ServerError, in service: StaticString) throws(ServerError) -> StatusCode {
        if error == .clockSkewTooBig { throw error }
        return try finalStatusCode(of: error, in: service)
    }

    /// The status code that ends a service; throws ``ServerError/storageUnavailable`` and
    /// ``ServerError/overloaded(retryAfter:)``, which are HTTP statuses.
    package func finalStatusCode(of error: ServerError, in service: StaticString) throws(ServerError) -> StatusCode {
        switch error {
        case .refused(let status): return status
        case .storageUnavailable, .overloaded: throw error
        // None of them is an answer that a phone could make use of: the operator has to hear of it.
        case .unauthorized, .throttled, .undelivered, .signingFailed, .sealingFailed, .notConfigured, .userExists,
            .nameAlike,
            .userUnknown, .credentialUnknown, .targetUnknown, .targetNameInUse, .tooManyTargets, .dispatcherUnknown,
            .forbidden, .signatureInvalid, .requestReplayed, .clockSkewTooBig, .malformedRequest, .tooManyOperations,
            .quietHours, .policyViolation, .invalidName, .invalidPassword, .wrongMasterKey, .invalidMasterKey,
            .invalidMetadata, .invalidSetting:
            logger.error("\(service): no answer", metadata: ["error": "\(error)"])
            return .internalServerError
        }
    }
}
