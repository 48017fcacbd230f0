package import BackendAPI
package import ServerCore
import UAF

/// Dispatch targets, and what devices have signed.
extension MemoryTransaction {
    package func target(_ id: DispatchTargetID) -> OwnedTarget? {
        state.targets.first { $0.id == id }.flatMap(owned)
    }

    package func targets(of device: DeviceID, signingWith key: DeviceKeyThumbprint) -> [OwnedTarget] {
        state.targets.filter { $0.deviceID == device && $0.signatureKey.thumbprint == key }
            .sorted { $0.createdAt < $1.createdAt }.compactMap(owned)
    }

    private func owned(_ target: DispatchTarget) -> OwnedTarget? {
        user(target.userID).map { OwnedTarget(target: target, user: $0) }
    }

    package func target(named name: DeviceName, of user: UserID) -> DispatchTargetID? {
        state.targets.first { $0.userID == user && $0.name == name }?.id
    }

    package func targetCount(of user: UserID) -> Int { state.targets.count { $0.userID == user } }

    package func insert(_ target: DispatchTarget) { state.targets.append(target) }

    package func update(_ id: DispatchTargetID, _ change: TargetChange) {
        state.targets = state.targets.map { old in
            guard old.id == id else { return old }
            return DispatchTarget(
                id: old.id, externalID: old.externalID, userID: old.userID, deviceID: old.deviceID,
                name: change.name ?? old.name, dispatcher: change.dispatcher ?? old.dispatcher,
                destination: change.unsetsDestination ? nil : change.destination ?? old.destination,
                signatureKey: old.signatureKey, encryptionKey: change.encryptionKey ?? old.encryptionKey,
                createdAt: old.createdAt)
        }
    }

    package func removeTarget(_ id: DispatchTargetID) {
        state.targets.removeAll { $0.id == id }
        state.credentials = state.credentials.map { $0.targetID == id ? $0.changed(targetID: .some(nil)) : $0 }
    }

    package func remember(_ request: SignedRequest) -> Bool {
        let isNew = !state.requests.contains {
            $0.targetID == request.targetID && $0.requestID == request.requestID
        }
        if isNew { state.requests.append(request) }
        return isNew
    }
}

/// Out-of-band operations.
extension MemoryTransaction {
    package func operation(_ id: CeremonyID) -> OutOfBandCeremony? { state.operations.first { $0.id == id } }

    package func operation(token: RedeemTokenHash) -> OutOfBandCeremony? {
        state.operations.first { $0.tokenHash == token } ?? state.operations.first { $0.previousToken?.hash == token }
    }

    private var open: [OutOfBandCeremony] { state.operations.filter { !$0.progress.status.isFinal } }

    package func openOperations(of user: UserID) -> [OutOfBandCeremony] { open.filter { $0.userID == user } }

    package func openOperations(for target: DispatchTargetID) -> [OutOfBandCeremony] {
        open.filter { $0.targetID == target }
    }

    package func waitingOperations(for target: DispatchTargetID, after time: Timestamp) -> [OutOfBandCeremony] {
        state.operations.filter {
            $0.targetID == target && $0.progress.status == .tokenCreated && $0.progress.expiresAt > time
        }.sorted { $0.createdAt > $1.createdAt }
    }

    package func overdueOperations(at time: Timestamp, limit: Int) -> [OutOfBandCeremony] {
        let overdue = open.filter { $0.progress.expiresAt <= time }
        return Array(overdue.sorted { $0.progress.expiresAt < $1.progress.expiresAt }.prefix(limit))
    }

    package func insert(_ operation: OutOfBandCeremony) { state.operations.append(operation) }

    package func renew(_ operation: OutOfBandCeremony) {
        guard let index = state.operations.firstIndex(where: { $0.id == operation.id }),
            state.operations[index].progress.status == .tokenCreated
        else { return }
        state.operations[index] = operation
    }

    package func advance(
        _ operation: OutOfBandCeremony, to progress: CeremonyProgress, answeredBy user: UserID?
    ) -> Bool {
        guard let index = state.operations.firstIndex(where: { $0.id == operation.id }) else { return false }
        let old = state.operations[index]
        guard old.progress.status == operation.progress.status else { return false }
        var new = OutOfBandCeremony(
            id: old.id, operation: old.operation, userID: old.userID ?? user, targetID: old.targetID,
            initiator: old.initiator, tokenHash: old.tokenHash, requestContext: old.requestContext, link: old.link,
            dispatch: old.dispatch, sealedContent: progress.status == .tokenCreated ? old.sealedContent : [],
            createdAt: old.createdAt, progress: progress, evidence: old.evidence)
        (new.isPush, new.isSealed, new.session) = (old.isPush, old.isSealed, old.session)
        (new.isByStranger, new.previousToken) = (old.isByStranger, old.previousToken)
        state.operations[index] = new
        return true
    }

    // MARK: - Incidents

    package func times(of incident: UserIncident, for user: UserID, after start: Timestamp) -> [Timestamp] {
        state.incidents.filter { $0.incident == incident && $0.user == user && $0.time > start }.map(\.time)
            .sorted()
    }

    package func note(_ incident: UserIncident, for user: UserID, at time: Timestamp) {
        state.incidents.append((incident, user, time))
    }

    package func forget(_ incident: UserIncident, for user: UserID) {
        state.incidents.removeAll { $0.incident == incident && $0.user == user }
    }
}
