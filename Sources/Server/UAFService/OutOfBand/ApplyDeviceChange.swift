package import BackendAPI
package import ServerCore
package import UAF

/// Changes that a device has asked for with its signature: each takes effect once, and for this device only.
///
/// Everything a request names is looked for among the targets with the same device id and the same signature key. A
/// request that came before changes nothing, one whose target is gone nothing but the audit.
package struct ApplyDeviceChange {
    let transaction: any ServerTransaction
    let request: SignedRequest
    /// The record of the whole; each credential and target removed has a separate one.
    let event: AuditEvent

    var targets: ChangeTarget { ChangeTarget(in: transaction) }

    private var device: ReadDevice { ReadDevice(in: transaction, request: request, at: event.at) }

    package init(in transaction: any ServerTransaction, request: SignedRequest, event: AuditEvent) {
        self.transaction = transaction
        self.request = request
        self.event = event
    }

    // MARK: - Changing

    /// Changes the target that has signed.
    package func change(_ change: TargetChange) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        try recorded { signer throws(ServerTransactionFailure) in
            guard signer.user.status == .active else { return .userInactive }
            let target = signer.target
            if let name = change.name {
                // Two devices of one user are renamed one after the other.
                guard try transaction.lockUser(target.userID) != nil else { return .targetGone }
                if try targets.isTaken(name, of: target.userID, except: target.id) { return .nameInUse }
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
            try remove(removals, ids, among: try self.device.accountsWithCredentials(of: device, signer))
        }
    }

    /// Removes all targets of the device with all their credentials.
    package func removeDevice(_ device: DeviceID) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        try recorded { signer throws(ServerTransactionFailure) in
            let accounts = try self.device.accounts(of: device, signer)
            guard !accounts.isEmpty else { return .targetGone }
            guard accounts.allSatisfy({ $0.user.status == .active }) else { return .userInactive }
            for account in accounts {
                for credential in try transaction.credentials(on: account.target.id) { try remove(credential) }
                try remove(account.target)
            }
            return nil
        }
    }

    // MARK: - Records

    /// Makes a change for the signer and records it, or its refusal.
    ///
    /// A replay has no record: an attacker who sends a copy again and again would fill the audit.
    private func recorded(
        _ body: (OwnedTarget) throws(ServerTransactionFailure) -> Refusal?
    ) throws(ServerTransactionFailure) -> Result<Void, Refusal> {
        var record = event
        record.targetID = request.targetID
        let refusal: Refusal?
        switch try device.signer() {
        case .failure(.replayed): return .failure(.replayed)
        case .failure(let early): refusal = early
        case .success(let signer):
            record = record.about(signer.user).about(signer.target)
            refusal = try body(signer)
        }
        record.reason = refusal?.rawValue
        try transaction.append(record)
        if let refusal { return .failure(refusal) }
        return .success(())
    }
}

extension ApplyDeviceChange {
    /// One account on the device.
    package struct Account: Sendable, Hashable {
        package let user: User
        package let target: DispatchTarget
        package let credentials: [RegisteredCredential]
        /// The credentials of the user that belong to no target.
        package let unassigned: [CredentialID]
    }

    /// Reason for which a request has changed nothing; the raw value is the word of the audit.
    package enum Refusal: String, Error, Sendable, Hashable {
        case replayed
        /// The target is gone, has another key, or belongs to another device.
        case targetGone
        /// The user is locked.
        case userInactive
        case nameInUse
        case notFound

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
