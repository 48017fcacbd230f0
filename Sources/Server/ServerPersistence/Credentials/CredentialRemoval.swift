import ServerCore
import UAF

/// Removes credentials inside a transaction.
///
/// An owner who deregisters takes the dispatch target away with its last credential: nobody could answer there any
/// more. A removal by an administrator leaves the target, so that the device can find out, and ends all logins of the
/// user: the key is gone for a reason, and a login made with it may have begun others.
struct CredentialRemoval {
    let connection: any SQLConnection
    let chain: AuditChain

    /// Removes those credentials that the user owns, and returns them; `event` makes the record of each.
    func remove(
        _ ids: [CredentialID], of user: UserID, event: (CredentialID) -> AuditEvent
    ) throws(ServerPersistenceError) -> [CredentialID] {
        var removed: [CredentialID] = []
        for id in ids {
            guard let credential = try credential(id), credential.userID == user else { continue }
            try remove(credential, event: event(id))
            removed.append(id)
        }
        return removed
    }

    private func credential(_ id: CredentialID) throws(ServerPersistenceError) -> RegisteredCredential? {
        try connection.row(CredentialRow.selectionByID, [.text(id.aaid.text), .blob(id.keyID.octets)])
            .map { row throws(ServerPersistenceError) in try CredentialRow.credential(row) }
    }

    /// Removes a credential, and with the owner's last one on a device its target.
    func remove(_ credential: RegisteredCredential, event: AuditEvent) throws(ServerPersistenceError) {
        let count = try connection.execute(
            "DELETE FROM credentials WHERE registration_id = $1", [.blob(credential.registrationID.octets)])
        guard count > 0 else { return }
        var event = event
        event.targetID = credential.targetID ?? event.targetID
        try chain.append(event, connection)
        if event.kind == .credentialRemoved {
            try LoginWriter(connection: connection).endAll(of: credential.userID, at: event.at)
        }
        guard event.kind == .deregistration, let id = credential.targetID, try isEmpty(id) else { return }
        let targets = TargetWriter(connection: connection, chain: chain)
        guard let target = try targets.ownedTarget(id)?.target else { return }
        event.credential = nil
        event.statusCode = nil
        try targets.remove(target, event: event)
    }

    private func isEmpty(_ target: DispatchTargetID) throws(ServerPersistenceError) -> Bool {
        try connection.row("SELECT 1 FROM credentials WHERE dispatch_target_id = $1", [.blob(target.octets)]) == nil
    }
}
