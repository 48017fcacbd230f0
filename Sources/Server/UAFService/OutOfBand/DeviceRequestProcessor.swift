import BackendAPI
import JOSE
import ServerCore

/// Processor of what devices ask for with their signature: verified, applied once, and counted when it is refused.
final class DeviceRequestProcessor: Sendable {
    let verification: DeviceRequestVerification
    private let transactions: any ServerTransactionRunner
    private let targets: any DispatchTargetRepository
    private let audit: any AuditLog
    private let clock: any WallClock
    private let log: ServiceLog

    init(
        verification: DeviceRequestVerification, transactions: any ServerTransactionRunner,
        targets: any DispatchTargetRepository, audit: any AuditLog, clock: any WallClock, log: ServiceLog
    ) {
        self.verification = verification
        self.transactions = transactions
        self.targets = targets
        self.audit = audit
        self.clock = clock
        self.log = log
    }

    // MARK: - Effects

    /// Lets a signed request take effect in one transaction (``ApplyDeviceChange``); throws the error of its refusal.
    func apply<Value: Sendable>(
        _ request: SignedRequest, _ event: AuditEvent, _ body: @escaping Change<Value>
    ) async throws(ServerError) -> Value {
        let result = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try body(ApplyDeviceChange(in: transaction, request: request, event: event))
        }
        return try Self.value(of: result)
    }

    /// Answers a signed request that only reads, in one transaction (``ReadDevice``); throws the error of its refusal.
    func read<Value: Sendable>(
        _ request: SignedRequest, _ body: @escaping Reading<Value>
    ) async throws(ServerError) -> Value {
        let now = clock.now()
        let result = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try body(ReadDevice(in: transaction, request: request, at: now))
        }
        return try Self.value(of: result)
    }

    typealias Change<Value> =
        @Sendable (ApplyDeviceChange) throws(ServerTransactionFailure) -> Result<Value, ApplyDeviceChange.Refusal>

    typealias Reading<Value> =
        @Sendable (ReadDevice) throws(ServerTransactionFailure) -> Result<Value, ApplyDeviceChange.Refusal>

    private static func value<Value>(
        of result: Result<Value, ApplyDeviceChange.Refusal>
    ) throws(ServerError) -> Value {
        do throws(ApplyDeviceChange.Refusal) {
            return try result.get()
        } catch {
            throw error.error
        }
    }

    // MARK: - Refusals

    /// Does what a device asks for with its signature, and counts its refusal.
    ///
    /// A failure after the verification has its record already, in the transaction of the effect.
    func countingRefusals<Value>(
        of token: String, from client: ClientContext, _ body: () async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            if error == .requestReplayed {
                // The holder of a copy can send it without end.
                log.countUnsigned("device request: replayed", from: client)
            } else if let refusal = Refusal(error) {
                await count(refusal, of: token, from: client)
            }
            throw error
        }
    }

    /// Refusal of a signed request that is not what it claims to be.
    private struct Refusal {
        let reason: String
        /// Audit kind of the cause, when a known key has signed.
        let kind: AuditEvent.Kind

        init?(_ error: ServerError) {
            switch error {
            case .signatureInvalid: self.init("signatureInvalid", .deviceRequestMisdirected)
            case .clockSkewTooBig: self.init("clockSkewTooBig", .deviceRequestClockSkew)
            case .malformedRequest: self.init("malformed", .deviceRequestMalformed)
            case .requestReplayed, .refused, .unauthorized, .throttled, .overloaded, .undelivered, .storageUnavailable,
                .signingFailed, .sealingFailed, .notConfigured, .userExists, .nameAlike, .userUnknown,
                .credentialUnknown,
                .targetUnknown, .targetNameInUse, .tooManyTargets, .dispatcherUnknown, .forbidden, .tooManyOperations,
                .quietHours, .policyViolation, .invalidName, .invalidPassword, .wrongMasterKey, .invalidMasterKey,
                .invalidMetadata, .invalidSetting:
                return nil
            }
        }

        private init(_ word: String, _ kind: AuditEvent.Kind) {
            reason = "device request: \(word)"
            self.kind = kind
        }
    }

    /// Counts a refusal; a request that a known key has signed has a record, too, while it is among the first of its
    /// device.
    ///
    /// A record that cannot be written changes nothing: the request stays refused.
    private func count(_ refusal: Refusal, of token: String, from client: ClientContext) async {
        do throws(ServerError) {
            guard let signer = try await signer(of: token) else {
                log.countUnsigned(refusal.reason, from: client)
                return
            }
            let now = clock.now()
            guard log.countSigned(refusal.reason, by: signer.target.id, at: now) else { return }
            var event = AuditEvent(refusal.kind, at: now, client: client).about(signer.user)
            event.targetID = signer.target.id
            event.reason = refusal.reason
            log.write(event)
            try await audit.append(event)
        } catch {
            log.notRecorded(error)
        }
    }

    /// The target whose key has signed a token, with its user; nil when no known key has.
    private func signer(of token: String) async throws(ServerError) -> OwnedTarget? {
        guard let jws = try? CompactJWS(parsing: token),
            let request = try? DeviceRequest(body: jws.unverifiedPayload),
            let id = DispatchTargetID(text: request.claims.dispatchTargetID),
            let owner = try await targets.target(id),
            (try? jws.verified(byDevice: owner.target.signatureKey)) != nil
        else { return nil }
        return owner
    }
}
