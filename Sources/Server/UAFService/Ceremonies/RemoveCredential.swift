package import ServerCore
package import UAF

/// Removal of credentials.
///
/// An owner who deregisters takes the dispatch target away with its last credential, as no key could answer there any
/// more. A removal by an administrator leaves the target, so that the device can find out, and ends all logins of the
/// user: the key is gone for a reason, and a login made with it may have begun others.
package struct RemoveCredential {
    private let transaction: any ServerTransaction

    package init(in transaction: any ServerTransaction) {
        self.transaction = transaction
    }

    /// Removes those credentials that the user owns, and returns them; `event` makes the record of each.
    package func remove(
        _ ids: [CredentialID], of user: UserID, event: (CredentialID) -> AuditEvent
    ) throws(ServerTransactionFailure) -> [CredentialID] {
        var removed: [CredentialID] = []
        guard !ids.isEmpty, try transaction.lockUser(user) != nil else { return removed }
        for id in ids {
            guard let credential = try transaction.credential(id), credential.userID == user else { continue }
            try remove(credential, event: event(id))
            removed.append(id)
        }
        return removed
    }

    /// Removes a credential, and with the owner's last one on a device its target.
    func remove(_ credential: RegisteredCredential, event: AuditEvent) throws(ServerTransactionFailure) {
        guard let user = try transaction.lockUser(credential.userID) else { return }
        var event = event.about(user)
        if let id = credential.targetID, let owned = try transaction.target(id) { event = event.about(owned.target) }
        guard
            try transaction.removeCredential(credential.registrationID, of: credential.userID, at: event.at)
        else { return }
        try transaction.append(event)
        if event.kind == .credentialRemoved { try transaction.endLogins(of: credential.userID, at: event.at) }
        guard event.kind == .deregistration, let id = credential.targetID,
            try transaction.credentials(on: id).isEmpty, let target = try transaction.target(id)?.target
        else { return }
        event.credential = nil
        event.statusCode = nil
        try ChangeTarget(in: transaction).remove(target, event: event)
    }
}

extension AuditEvent {
    package func about(_ credential: CredentialID) -> AuditEvent {
        var event = self
        event.credential = credential
        return event
    }
}
