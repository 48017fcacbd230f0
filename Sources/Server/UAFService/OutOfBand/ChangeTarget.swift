import BackendAPI
package import ServerCore
package import UAF

/// Changes of dispatch targets by their owners and by administrators.
///
/// A user has no two targets of one name, and none more than the settings allow; what waits for a target that goes is
/// called off.
package struct ChangeTarget {
    private let transaction: any ServerTransaction

    package init(in transaction: any ServerTransaction) {
        self.transaction = transaction
    }

    // MARK: - For owners

    /// Adds a target of the user of a grant; returns the error of the request when it is refused.
    func add(
        _ target: DispatchTarget, by grant: RequestAuthorization.Login, limit: Int, event: AuditEvent
    ) throws(ServerTransactionFailure) -> ServerError? {
        guard target.userID == grant.user.id, try transaction.lock(grant) else { return .unauthorized }
        guard try !isTaken(target.name, of: target.userID) else { return .targetNameInUse }
        guard try transaction.targetCount(of: target.userID) < limit else { return .tooManyTargets }
        try transaction.insert(target)
        try transaction.append(event)
        return nil
    }

    /// Removes a target of the user of a grant; returns the error of the request when it is refused.
    package func remove(
        _ id: DispatchTargetID, by grant: RequestAuthorization.Login, event: AuditEvent
    ) throws(ServerTransactionFailure) -> ServerError? {
        guard try transaction.lock(grant) else { return .unauthorized }
        guard let owned = try transaction.target(id), owned.user.id == grant.user.id else { return .targetUnknown }
        try remove(owned.target, event: event)
        return nil
    }

    /// Changes a target of the user of a grant; returns the error of the request when it is refused.
    package func change(
        _ id: DispatchTargetID, _ change: TargetChange, by grant: RequestAuthorization.Login, event: AuditEvent
    ) throws(ServerTransactionFailure) -> ServerError? {
        guard try transaction.lock(grant) else { return .unauthorized }
        guard try transaction.target(id)?.user.id == grant.user.id else { return .targetUnknown }
        return try self.change(id, change, event: event)
    }

    /// Removes a device of the user of a grant: the target, its credentials, what waits for it, and all logins.
    ///
    /// Returns the error of the request when it is refused.
    package func removeDevice(
        _ id: DispatchTargetID, by grant: RequestAuthorization.Login, event: AuditEvent
    ) throws(ServerTransactionFailure) -> ServerError? {
        guard try transaction.lock(grant) else { return .unauthorized }
        guard try transaction.target(id)?.user.id == grant.user.id else { return .targetUnknown }
        return try removeDevice(id, event: event) == nil ? .targetUnknown : nil
    }

    // MARK: - For administrators

    package func change(
        _ id: DispatchTargetID, _ change: TargetChange, event: AuditEvent
    ) throws(ServerTransactionFailure) -> ServerError? {
        guard let target = try transaction.target(id)?.target, try transaction.lockUser(target.userID) != nil else {
            return .targetUnknown
        }
        if let name = change.name, try isTaken(name, of: target.userID, except: id) { return .targetNameInUse }
        try transaction.update(id, change)
        try transaction.append(event)
        return nil
    }

    /// Removes a device from its account: the target, its credentials, what waits for it, and all logins of the user.
    ///
    /// Returns the credentials; nil when there is no such target.
    package func removeDevice(
        _ id: DispatchTargetID, event: AuditEvent
    ) throws(ServerTransactionFailure) -> [CredentialID]? {
        guard let (user, target) = try transaction.target(id).map({ ($0.user, $0.target) }) else { return nil }
        let event = event.about(user).about(target)
        let credentials = try transaction.credentials(on: id)
        for credential in credentials {
            var record = event
            record.kind = .credentialRemoved
            record.credential = credential.id
            try RemoveCredential(in: transaction).remove(credential, event: record)
        }
        try remove(target, event: event)
        try transaction.endLogins(of: target.userID, at: event.at)
        try transaction.append(event)
        return credentials.map(\.id)
    }

    // MARK: - Steps

    /// Removes a target, calls off what waits for it, and records both.
    func remove(_ target: DispatchTarget, event: AuditEvent) throws(ServerTransactionFailure) {
        try AdvanceOperation(in: transaction).cancelAll(for: target.id, event: event)
        try transaction.removeTarget(target.id)
        var record = event.about(target).about(target.userID)
        record.kind = .targetDeleted
        try transaction.append(record)
    }

    func isTaken(
        _ name: DeviceName, of user: UserID, except id: DispatchTargetID? = nil
    ) throws(ServerTransactionFailure) -> Bool {
        guard let holder = try transaction.target(named: name, of: user) else { return false }
        return holder != id
    }

    /// The name, or the first numbered one that is free.
    func freeName(_ name: DeviceName, of user: UserID) throws(ServerTransactionFailure) -> DeviceName {
        var candidate = name
        var number = 2
        while try isTaken(candidate, of: user) {
            candidate = name.numbered(number)
            number += 1
        }
        return candidate
    }
}
