package import BackendAPI
package import ServerCore

/// Requests that a device has signed and that only read: each is answered once, about this device only.
///
/// They have no record: a device that asks every few seconds would fill the audit.
package struct ReadDevice {
    private let transaction: any ServerTransaction
    private let request: SignedRequest
    private let now: Timestamp

    package init(in transaction: any ServerTransaction, request: SignedRequest, at now: Timestamp) {
        self.transaction = transaction
        self.request = request
        self.now = now
    }

    package func accounts(
        of device: DeviceID
    ) throws(ServerTransactionFailure) -> Result<[ApplyDeviceChange.Account], ApplyDeviceChange.Refusal> {
        switch try signer() {
        case .failure(let refusal): return .failure(refusal)
        case .success(let signer): return .success(try accountsWithCredentials(of: device, signer))
        }
    }

    /// The operations that wait for the device, newest first.
    package func pendingOperations(
        of device: DeviceID
    ) throws(ServerTransactionFailure) -> Result<[OutOfBandCeremony], ApplyDeviceChange.Refusal> {
        let signer: OwnedTarget
        switch try self.signer() {
        case .failure(let refusal): return .failure(refusal)
        case .success(let owned): signer = owned
        }
        var operations: [OutOfBandCeremony] = []
        for account in try accounts(of: device, signer) where account.user.status == .active {
            operations += try transaction.waitingOperations(for: account.target.id, after: now)
        }
        return .success(operations.sorted { $0.createdAt > $1.createdAt })
    }

    // MARK: - Signer

    /// The target whose key has signed, once the request is found to be new.
    func signer() throws(ServerTransactionFailure) -> Result<OwnedTarget, ApplyDeviceChange.Refusal> {
        guard let owned = try transaction.target(request.targetID),
            owned.target.signatureKey.thumbprint == request.signatureKey
        else { return .failure(.targetGone) }
        guard try transaction.remember(request) else { return .failure(.replayed) }
        return .success(owned)
    }

    /// The targets with this device id and the key that signed; none when the signer belongs to another device.
    func accounts(
        of device: DeviceID, _ signer: OwnedTarget
    ) throws(ServerTransactionFailure) -> [OwnedTarget] {
        guard signer.target.deviceID == device else { return [] }
        return try transaction.targets(of: device, signingWith: request.signatureKey)
    }

    func accountsWithCredentials(
        of device: DeviceID, _ signer: OwnedTarget
    ) throws(ServerTransactionFailure) -> [ApplyDeviceChange.Account] {
        try accounts(of: device, signer).map { owned throws(ServerTransactionFailure) in
            ApplyDeviceChange.Account(
                user: owned.user, target: owned.target,
                credentials: try transaction.credentials(on: owned.target.id),
                unassigned: try transaction.unassignedCredentials(of: owned.user.id).map(\.id))
        }
    }
}
