import BackendAPI
import ServerCore
import UAF

/// Does what a device asks for with its signature, after the request was found to be new and its key still valid.
struct DeviceEffectWriter {
    let connection: any SQLConnection
    let chain: AuditChain
    let request: SignedRequest
    let event: AuditEvent

    private var targets: TargetWriter { TargetWriter(connection: connection, chain: chain) }

    func perform(_ effect: DeviceEffect) throws(ServerPersistenceError) -> DeviceResult {
        guard let signer = try signer() else { return .targetGone }
        guard try ReplayCache(connection: connection).remember(request) else { return .replayed }
        switch effect {
        case .change(let change): return try self.change(signer, change)
        case .read(let device): return try .accounts(accounts(device, signer).map(withCredentials))
        case .pending(let device): return .operations(try pending(device, signer))
        case .remove(let device, let removals, let ids): return try remove(removals, ids, from: device, signer)
        case .removeDevice(let device): return try remove(accounts(device, signer))
        }
    }

    /// The target whose key has signed; nil when it is gone or has another key by now.
    private func signer() throws(ServerPersistenceError) -> OwnedTarget? {
        guard let owned = try targets.ownedTarget(request.targetID),
            owned.target.signatureKey.thumbprint == request.signatureKey
        else { return nil }
        return owned
    }

    /// The targets with this device id and the key that signed; none when the signer belongs to another device.
    private func accounts(_ device: DeviceID, _ signer: OwnedTarget) throws(ServerPersistenceError) -> [OwnedTarget] {
        guard signer.target.deviceID == device else { return [] }
        return try connection.rows(
            TargetRow.selectionByDevice, [.text(device.text), .blob(request.signatureKey.octets)]
        ).map { row throws(ServerPersistenceError) in try TargetRow.ownedTarget(row) }
    }

    private func change(_ signer: OwnedTarget, _ change: TargetChange) throws(ServerPersistenceError) -> DeviceResult {
        guard signer.user.status == .active else { return .userInactive }
        let target = signer.target
        if let name = change.name, try targets.isTaken(name, of: target.userID, except: target.id) { return .nameInUse }
        try targets.update(target.id, change)
        return .done
    }

    private func withCredentials(_ owned: OwnedTarget) throws(ServerPersistenceError) -> DeviceResult.Account {
        let unassigned = try connection.rows(CredentialRow.selectionUnassigned, [.blob(owned.user.id.octets)])
            .map { row throws(ServerPersistenceError) in try CredentialRow.credential(row).id }
        return DeviceResult.Account(
            user: owned.user, target: owned.target, credentials: try credentials(of: owned.target),
            unassigned: unassigned)
    }

    private func credentials(of target: DispatchTarget) throws(ServerPersistenceError) -> [RegisteredCredential] {
        try connection.rows(CredentialRow.selectionByTarget, [.blob(target.id.octets)])
            .map { row throws(ServerPersistenceError) in try CredentialRow.credential(row) }
    }

    private func pending(_ device: DeviceID, _ signer: OwnedTarget) throws(ServerPersistenceError)
        -> [OutOfBandCeremony]
    {
        var operations: [OutOfBandCeremony] = []
        for owned in try accounts(device, signer) where owned.user.status == .active {
            operations += try connection.rows(
                OperationRow.selectionWaitingByTarget,
                [.blob(owned.target.id.octets), .integer(event.at.milliseconds)]
            ).map { row throws(ServerPersistenceError) in try OperationRow.operation(row) }
        }
        return operations.sorted { $0.createdAt > $1.createdAt }
    }
}

// MARK: - Removal

extension DeviceEffectWriter {
    /// Removes all that is named; what is not there, or of a locked user, ends it before anything is changed.
    private func remove(
        _ removals: [DeviceEffect.Removal], _ ids: [DispatchTargetID], from device: DeviceID, _ signer: OwnedTarget
    ) throws(ServerPersistenceError) -> DeviceResult {
        let accounts = try accounts(device, signer).map(withCredentials)
        var doomed: [RegisteredCredential] = []
        for removal in removals {
            let found = try matches(removal, among: accounts)
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
        return .done
    }

    private func matches(
        _ removal: DeviceEffect.Removal, among accounts: [DeviceResult.Account]
    ) throws(ServerPersistenceError) -> [RegisteredCredential] {
        accounts.filter { $0.user.name == removal.username || $0.user.externalID == removal.username }
            .flatMap(\.credentials)
            .filter { credential in
                (removal.aaid == nil || removal.aaid == credential.id.aaid)
                    && (removal.keyID == nil || removal.keyID == credential.id.keyID)
            }
    }

    /// Removes targets with everything that belongs to them.
    private func remove(_ accounts: [OwnedTarget]) throws(ServerPersistenceError) -> DeviceResult {
        guard !accounts.isEmpty else { return .targetGone }
        guard accounts.allSatisfy({ $0.user.status == .active }) else { return .userInactive }
        for account in accounts {
            for credential in try credentials(of: account.target) { try remove(credential) }
            try remove(account.target)
        }
        return .done
    }

    private func remove(_ credential: RegisteredCredential) throws(ServerPersistenceError) {
        var record = event
        record.kind = .deregistration
        record.userID = credential.userID
        record.credential = credential.id
        record.targetID = credential.targetID
        record.statusCode = .ok
        try CredentialRemoval(connection: connection, chain: chain).remove(credential, event: record)
    }

    /// Removes a target, unless it went with its last credential.
    ///
    /// Another record of the user on the device takes over what is left: the key is still there, and the device would
    /// else take it for removed.
    private func remove(
        _ target: DispatchTarget, inFavorOf heir: DispatchTarget? = nil
    ) throws(ServerPersistenceError) {
        guard try targets.ownedTarget(target.id) != nil else { return }
        if let heir {
            try connection.execute(
                "UPDATE credentials SET dispatch_target_id = $1 WHERE dispatch_target_id = $2",
                [.blob(heir.id.octets), .blob(target.id.octets)])
        }
        try targets.remove(target, event: event)
    }
}
