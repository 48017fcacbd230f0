package import BackendAPI
package import ServerCore
package import UAF
package import UAFService

/// What an administrator does to a phone, as the administration API does it.
extension ServerServices {
    /// Removes a phone with its keys, and returns these.
    @discardableResult
    package func removeDevice(_ id: String) async throws(ServerError) -> [CredentialID] {
        let owned = try await owned(id)
        let event = AuditEvent(.deviceRemoved, at: ports.clock.now()).about(owned.user).about(owned.target)
        let removed = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try ChangeTarget(in: transaction).removeDevice(owned.target.id, event: event)
        }
        guard let removed else { throw .targetUnknown }
        return removed
    }

    /// Renames a phone, or without a name takes its push destination away.
    package func changeDevice(_ id: String, name: DeviceName? = nil) async throws(ServerError) {
        let owned = try await owned(id)
        var change = TargetChange()
        (change.name, change.unsetsDestination) = (name, name == nil)
        let wanted = change
        let kind: AuditEvent.Kind = name == nil ? .pushUnsetByAdministrator : .targetRenamedByAdministrator
        let event = AuditEvent(kind, at: ports.clock.now()).about(owned.user).about(owned.target)
        let refusal = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try ChangeTarget(in: transaction).change(owned.target.id, wanted, event: event)
        }
        if let refusal { throw refusal }
    }

    private func owned(_ text: String) async throws(ServerError) -> OwnedTarget {
        guard let id = DispatchTargetID(text: text), let owned = try await storage.targets.target(id) else {
            throw .targetUnknown
        }
        return owned
    }
}
