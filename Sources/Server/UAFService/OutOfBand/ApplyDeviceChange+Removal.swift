import ServerCore
package import UAF

/// Removals that a device asks for: all that is named, or nothing.
extension ApplyDeviceChange {
    /// Credentials to remove.
    package struct Removal: Sendable, Hashable {
        /// The user's name or external id.
        package let username: UserName
        /// The model; nil for all credentials of the user on this device.
        package let aaid: AAID?
        /// The key; nil for all of the model.
        package let keyID: KeyID?

        package init(username: UserName, aaid: AAID? = nil, keyID: KeyID? = nil) {
            self.username = username
            self.aaid = aaid
            self.keyID = keyID
        }

        fileprivate func matches(among accounts: [Account]) -> [RegisteredCredential] {
            accounts.filter { $0.user.name == username || $0.user.externalID == username }
                .flatMap(\.credentials)
                .filter { (aaid == nil || aaid == $0.id.aaid) && (keyID == nil || keyID == $0.id.keyID) }
        }
    }

    /// Removes all that is named; what is not there, or of a locked user, ends it before anything is changed.
    func remove(
        _ removals: [Removal], _ ids: [DispatchTargetID], among accounts: [Account]
    ) throws(ServerTransactionFailure) -> Refusal? {
        var doomed: [RegisteredCredential] = []
        for removal in removals {
            let found = removal.matches(among: accounts)
            guard !found.isEmpty else { return .notFound }
            doomed += found
        }
        let targets = accounts.filter { ids.contains($0.target.id) }
        guard targets.count == Set(ids).count else { return .notFound }
        let users = Set(doomed.map(\.userID) + targets.map(\.user.id))
        guard accounts.allSatisfy({ $0.user.status == .active || !users.contains($0.user.id) }) else {
            return .userInactive
        }
        for credential in doomed { try remove(credential) }
        for account in targets {
            let heir = accounts.first { $0.user.id == account.user.id && !ids.contains($0.target.id) }?.target
            try remove(account.target, inFavorOf: heir)
        }
        return nil
    }

    func remove(_ credential: RegisteredCredential) throws(ServerTransactionFailure) {
        var record = event
        record.kind = .deregistration
        record.credential = credential.id
        record.statusCode = .ok
        try RemoveCredential(in: transaction).remove(credential, event: record)
    }

    /// Removes a target, unless it went with its last credential.
    ///
    /// Another record of the user on the device takes over what is left: the key is still there, and the device would
    /// else take it for removed.
    func remove(
        _ target: DispatchTarget, inFavorOf heir: DispatchTarget? = nil
    ) throws(ServerTransactionFailure) {
        guard try transaction.target(target.id) != nil else { return }
        if let heir { try transaction.moveCredentials(from: target.id, to: heir.id) }
        try targets.remove(target, event: event)
    }
}
