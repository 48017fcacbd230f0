package import BackendAPI
package import UAF

/// Requests that a device has signed: each takes effect once, and for this device only.
///
/// Everything a request names is looked for among the targets with the same device id and the same signature key. A
/// request that came before changes nothing, one whose target is gone nothing but the audit.
package struct ApplyDeviceChange {
    let transaction: any ServerTransaction
    let request: SignedRequest
    /// The record of the whole, unless the request only reads; each credential and target removed has one of its own.
    let event: AuditEvent

    var targets: ChangeTarget { ChangeTarget(in: transaction) }

    /// Lets a request take effect in `transaction`.
    package init(in transaction: any ServerTransaction, request: SignedRequest, event: AuditEvent) {
        self.transaction = transaction
        self.request = request
        self.event = event
    }

    // MARK: - Reading

    /// The accounts of the device.
    ///
    /// Without a record: a device that asks every few seconds would fill the audit.
    package func accounts(
        of device: DeviceID
    ) throws(ServerTransactionFailure) -> Result<[Account], Refusal> {
        switch try signer() {
        case .failure(let refusal): return .failure(refusal)
        case .success(let signer): return .success(try accountsWithCredentials(of: device, signer))
        }
    }

    /// The operations that wait for the device, newest first; without a record, too.
    package func pendingOperations(
        of device: DeviceID
    ) throws(ServerTransactionFailure) -> Result<[OutOfBandCeremony], Refusal> {
        let signer: OwnedTarget
        switch try self.signer() {
        case .failure(let refusal): return .failure(refusal)
        case .success(let owned): signer = owned
        }
        var operations: [OutOfBandCeremony] = []
        for account in try accounts(of: device, signer) where account.user.status == .active {
            operations += try transaction.waitingOperations(for: account.target.id, after: event.at)
        }
        return .success(operations.sorted { $0.createdAt > $1.createdAt })
    }

    // MARK: - Changing

    /// Changes the target that has signed.
    package func change(_ change: TargetChange) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        try recorded { signer throws(ServerTransactionFailure) in
            guard signer.user.status == .active else { return .userInactive }
            let target = signer.target
            if let name = change.name, try targets.isTaken(name, of: target.userID, except: target.id) {
                return .nameInUse
            }
            try transaction.update(target.id, change)
            return nil
        }
    }

    /// Removes credentials and targets of the device: all that is named, or nothing.
    package func remove(
        _ removals: [Removal], targets ids: [DispatchTargetID], from device: DeviceID
    ) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        try recorded { signer throws(ServerTransactionFailure) in
            let accounts = try accountsWithCredentials(of: device, signer)
            return try remove(removals, ids, among: accounts)
        }
    }

    /// Removes all targets of the device with all their credentials.
    package func removeDevice(_ device: DeviceID) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        try recorded { signer throws(ServerTransactionFailure) in
            let accounts = try accounts(of: device, signer)
            guard !accounts.isEmpty else { return .targetGone }
            guard accounts.allSatisfy({ $0.user.status == .active }) else { return .userInactive }
            for account in accounts {
                for credential in try transaction.credentials(on: account.target.id) { try remove(credential) }
                try remove(account.target)
            }
            return nil
        }
    }

    // MARK: - Signer

    /// The target whose key has signed, once the request is found to be new.
    private func signer() throws(ServerTransactionFailure) -> Result<OwnedTarget, Refusal> {
        guard let owned = try transaction.target(request.targetID),
            owned.target.signatureKey.thumbprint == request.signatureKey
        else { return .failure(.targetGone) }
        guard try transaction.remember(request) else { return .failure(.replayed) }
        return .success(owned)
    }

    /// Makes a change for the signer and records it, or its refusal.
    ///
    /// A replay has no record: whoever sends a copy again and again would fill the audit.
    private func recorded(
        _ body: (OwnedTarget) throws(ServerTransactionFailure) -> Refusal?
    ) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        let refusal: Refusal?
        switch try signer() {
        case .failure(.replayed): return .failure(.replayed)
        case .failure(let early): refusal = early
        case .success(let signer): refusal = try body(signer)
        }
        var record = event
        record.targetID = request.targetID
        record.reason = refusal?.rawValue
        try transaction.append(record)
        if let refusal { return .failure(refusal) }
        return .success(())
    }

    /// The targets with this device id and the key that signed; none when the signer belongs to another device.
    private func accounts(
        of device: DeviceID, _ signer: OwnedTarget
    ) throws(ServerTransactionFailure) -> [OwnedTarget] {
        guard signer.target.deviceID == device else { return [] }
        return try transaction.targets(of: device, signingWith: request.signatureKey)
    }

    private func accountsWithCredentials(
        of device: DeviceID, _ signer: OwnedTarget
    ) throws(ServerTransactionFailure) -> [Account] {
        try accounts(of: device, signer).map { owned throws(ServerTransactionFailure) in
            Account(
                user: owned.user, target: owned.target,
                credentials: try transaction.credentials(on: owned.target.id),
                unassigned: try transaction.unassignedCredentials(of: owned.user.id).map(\.id))
        }
    }
}

extension ApplyDeviceChange {
    /// One account on the device.
    package struct Account: Sendable, Hashable {
        /// The user.
        package let user: User
        /// The target.
        package let target: DispatchTarget
        /// The credentials that belong to the target.
        package let credentials: [RegisteredCredential]
        /// The credentials of the user that belong to no target.
        package let unassigned: [CredentialID]
    }

    /// Reason for which a request has changed nothing; the raw value is the word of the audit.
    package enum Refusal: String, Error, Sendable, Hashable {
        /// The request came before.
        case replayed
        /// The target is gone, has another key, or belongs to another device.
        case targetGone
        /// The user is locked.
        case userInactive
        /// Another target of the user has the name.
        case nameInUse
        /// Something named is not there.
        case notFound

        /// The error of the request.
        var error: ServerError {
            switch self {
            case .replayed: .requestReplayed
            case .targetGone: .signatureInvalid
            case .userInactive: .forbidden
            case .nameInUse: .targetNameInUse
            case .notFound: .targetUnknown
            }
        }
    }
}
