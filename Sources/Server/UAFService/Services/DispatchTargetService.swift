package import BackendAPI
import JOSE
package import ServerCore
package import UAF

/// Keeps the dispatch targets: on demand of their owners, and of systems that begin operations.
package struct DispatchTargetService: Sendable {
    let settings: OutOfBandSettings
    let grants: GrantRules
    let rules: DispatchTargetRules
    let requests: DeviceRequestProcessor
    let transactions: any ServerTransactionRunner
    let users: any UserRepository
    let targets: any DispatchTargetRepository
    let clock: any WallClock

    // MARK: - For applications

    /// Makes a target for the user who is logged in, as strongly as a further registration asks for.
    ///
    /// Throws ``ServerError/unauthorized``, also for a password where the user has a phone, ``ServerError/forbidden``
    /// for another user's name, ``ServerError/signatureInvalid`` without a proof that the target's key is the caller's,
    /// ``ServerError/targetNameInUse``, ``ServerError/dispatcherUnknown``, ``ServerError/tooManyTargets`` or
    /// ``ServerError/malformedRequest`` for keys that are no good.
    package func create(
        _ creation: DispatchTargetCreation, authorization: RequestAuthorization, client: ClientContext
    ) async throws(ServerError) -> CreatedDispatchTarget {
        let grant: RequestAuthorization.Login
        do throws(ServerError) {
            grant = try await grants.strongEnough(try await owner(named: creation.username, authorization))
        } catch {
            if case .refused = error { throw .unauthorized }
            throw error
        }
        let user = grant.user
        let target = try rules.newTarget(
            creation.target, of: user.id, dispatcher: try creation.target.dispatcher.map(rules.knownDispatcher))
        try requireProof(creation, target)
        let limit = settings.maximumTargetCount
        let event = event(.targetCreated, target.id, of: user, client)
        try await changeTarget { targets throws(ServerTransactionFailure) in
            try targets.add(target, by: grant, limit: limit, event: event)
        }
        return target.identifiers
    }

    /// The targets of a user, for the user and for systems that begin operations.
    ///
    /// Throws ``ServerError/unauthorized``, ``ServerError/forbidden`` for a user who does not exist or is not the
    /// caller, and ``ServerError/targetUnknown`` when the user has none.
    package func list(
        of name: UserName, authorization: InitiatorAuthorization
    ) async throws(ServerError) -> DispatchTargetList {
        let user = try await users.user(named: name)
        switch authorization {
        // A client that may begin an authentication without authorization still learns nothing of any user's devices.
        case .invalid, .absent, .client, .page, .recovery: throw .unauthorized
        case .accessKey(let key): if let user, !settings.reaches(user, key) { throw .forbidden }
        case .administrator: break
        case .user(let grant): if grant.user.id != user?.id { throw .forbidden }
        }
        guard let user else { throw .forbidden }
        let found = try await targets.targets(of: user.id)
        guard !found.isEmpty else { throw .targetUnknown }
        return DispatchTargetList(
            found.map { DispatchTargetList.Entry(id: $0.id.text, name: $0.name, dispatcher: $0.dispatcher) })
    }

    /// Removes a target of the user who is logged in by FIDO UAF, and calls off what waits for it.
    ///
    /// Throws ``ServerError/unauthorized`` or, also for another user's target, ``ServerError/targetUnknown``.
    package func remove(
        _ text: String, authorization: RequestAuthorization, client: ClientContext
    ) async throws(ServerError) {
        guard case .granted(let grant) = authorization, grant.methods.contains(.fidoUAF) else { throw .unauthorized }
        guard let id = DispatchTargetID(text: text), let owned = try await targets.target(id),
            owned.user.id == grant.user.id
        else { throw .targetUnknown }
        let event = event(.targetDeleted, id, of: grant.user, client)
        try await changeTarget { targets throws(ServerTransactionFailure) in
            try targets.remove(id, by: grant, event: event)
        }
    }

    /// Changes a target as its device asks for with its signature.
    ///
    /// Throws what `DeviceRequestVerification` throws, ``ServerError/targetUnknown``, ``ServerError/requestReplayed``,
    /// ``ServerError/targetNameInUse``, ``ServerError/dispatcherUnknown`` or ``ServerError/forbidden`` for a locked
    /// user.
    package func change(
        _ text: String, signed token: String, client: ClientContext
    ) async throws(ServerError) {
        try await requests.countingRefusals(of: token, from: client) { () async throws(ServerError) -> Void in
            guard let id = DispatchTargetID(text: text), try await targets.target(id) != nil else {
                throw .targetUnknown
            }
            let verified = try await requests.verification.verified(
                token, as: DispatchTargetChange.self,
                for: .init(endpoint: .changeDispatchTarget, name: text, mayBeUnnamed: true), claims: \.claims)
            guard verified.owner.target.id == id else { throw .signatureInvalid }
            let event = AuditEvent(.targetModified, at: clock.now(), client: client).about(verified.owner.user)
            let change = try self.change(verified.payload)
            try await requests.apply(verified.request, event) { device throws(ServerTransactionFailure) in
                try device.change(change)
            }
        }
    }

    /// Changes targets in one transaction (``ChangeTarget``); throws the error with which the change was refused.
    private func changeTarget(
        _ body: @escaping @Sendable (ChangeTarget) throws(ServerTransactionFailure) -> ServerError?
    ) async throws(ServerError) {
        let refusal = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try body(ChangeTarget(in: transaction))
        }
        if let refusal { throw refusal }
    }

    private func change(_ requested: DispatchTargetChange) throws(ServerError) -> TargetChange {
        var change = TargetChange()
        change.name = requested.name
        change.destination = requested.destination
        change.dispatcher = try requested.dispatcher.map(rules.knownDispatcher)
        change.encryptionKey = try requested.encryptionKey.map(rules.encryptionKey)
        return change
    }

    private func owner(
        named name: UserName?, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> RequestAuthorization.Login {
        guard case .granted(let grant) = authorization else { throw .unauthorized }
        guard let name else { return grant }
        guard try await users.user(named: name)?.id == grant.user.id else { throw .forbidden }
        return grant
    }

    /// Throws ``ServerError/signatureInvalid`` unless the target's key has signed what is asked for.
    private func requireProof(
        _ creation: DispatchTargetCreation, _ target: DispatchTarget
    ) throws(ServerError) {
        let addresses = DeviceRequestVerification.Addressee(endpoint: .createDispatchTarget)
            .addresses(at: settings.origin)
        guard let jws = creation.proof.flatMap({ try? CompactJWS(parsing: $0) }),
            let verified = try? jws.verified(byDevice: target.signatureKey),
            let proof = try? DispatchTargetCreationProof(body: verified.payload),
            proof.statement == DispatchTargetProof.Statement(of: creation.target),
            proof.username == creation.username,
            addresses.contains(where: { $0.utf8.elementsEqual(proof.audience.utf8) })
        else { throw .signatureInvalid }
    }

    private func event(
        _ kind: AuditEvent.Kind, _ id: DispatchTargetID, of user: User, _ client: ClientContext
    ) -> AuditEvent {
        var event = AuditEvent(kind, at: clock.now(), client: client).about(user)
        event.targetID = id
        return event
    }
}

// MARK: - For administrators

extension DispatchTargetService {
    /// The targets of a user, oldest first; throws ``ServerError/userUnknown``.
    package func targets(ofUserNamed name: String) async throws(ServerError) -> [DispatchTarget] {
        guard let name = UserName(name), let user = try await users.user(named: name) else {
            throw .userUnknown
        }
        return try await targets.targets(of: user.id)
    }
}
