import BackendAPI
import JOSE
package import ServerCore

/// Services for devices without their user: the holder of a target's key acts for its device, and for no other.
///
/// All requests throw what `DeviceRequestVerification` throws, ``ServerError/requestReplayed`` and, for a locked user,
/// ``ServerError/forbidden``. What is refused is counted by `RefusalCounter`.
package struct DeviceService: Sendable {
    let requests: DeviceRequestProcessor
    let contentSeal: ContentSeal
    let clock: any WallClock
    let log: ServiceLog

    /// Accounts and credentials of the device: the compact JWE of a ``BackendAPI/DeviceCredentials``.
    package func credentials(
        of device: String, signed token: String, client: ClientContext
    ) async throws(ServerError) -> String {
        try await requests.countingRefusals(of: token, from: client) { () async throws(ServerError) -> String in
            let (verified, device) = try await self.verified(
                token, for: .init(endpoint: .deviceCredentials, name: device, mayBeUnnamed: true))
            let accounts = try await read(verified, client) { request throws(ServerTransactionFailure) in
                try request.accounts(of: device)
            }
            let answer = DeviceCredentials(
                requestID: verified.request.requestID, deviceID: device, accounts: accounts.map(\.shown))
            return try sealed(answer, for: verified.owner.target)
        }
    }

    /// Operations that wait for the device: the compact JWE of ``BackendAPI/PendingOperations``.
    package func pendingOperations(
        of device: String, signed token: String, client: ClientContext
    ) async throws(ServerError) -> String {
        try await requests.countingRefusals(of: token, from: client) { () async throws(ServerError) -> String in
            let (verified, device) = try await self.verified(
                token, for: .init(endpoint: .pendingOperations, name: device, mayBeUnnamed: true))
            let operations = try await read(verified, client) { request throws(ServerTransactionFailure) in
                try request.pendingOperations(of: device)
            }
            let answer = PendingOperations(
                requestID: verified.request.requestID, entries: operations.compactMap(entry))
            return try sealed(answer, for: verified.owner.target)
        }
    }

    /// Removes credentials and targets of the device; ``ServerError/targetUnknown`` when one is not there.
    package func change(
        _ device: String, signed token: String, client: ClientContext
    ) async throws(ServerError) {
        try await requests.countingRefusals(of: token, from: client) { () async throws(ServerError) -> Void in
            let verified = try await requests.verification.verified(
                token, as: DeviceChange.self, for: .init(endpoint: .changeDevice, name: device, mayBeUnnamed: true),
                claims: \.claims)
            let device = try Self.device(device, verified.owner.target)
            let ids = verified.payload.targetIDs.map { DispatchTargetID(text: $0) }
            guard !ids.contains(nil) else { throw .targetUnknown }
            let removals = verified.payload.removals.map {
                ApplyDeviceChange.Removal(username: $0.username, aaid: $0.aaid, keyID: $0.keyID)
            }
            let targets = ids.compactMap { $0 }
            try await perform(verified, .deviceModified, client) { request throws(ServerTransactionFailure) in
                try request.remove(removals, targets: targets, from: device)
            }
        }
    }

    /// Removes the device with all its targets and credentials.
    package func remove(_ device: String, signed token: String, client: ClientContext) async throws(ServerError) {
        try await requests.countingRefusals(of: token, from: client) { () async throws(ServerError) -> Void in
            let (verified, device) = try await self.verified(token, for: .init(endpoint: .deleteDevice, name: device))
            try await perform(verified, .deviceDeleted, client) { request throws(ServerTransactionFailure) in
                try request.removeDevice(device)
            }
        }
    }

    // MARK: - Steps

    private func verified(
        _ token: String, for addressee: DeviceRequestVerification.Addressee
    ) async throws(ServerError) -> (DeviceRequestVerification.Verified<DeviceRequest>, DeviceID) {
        let verified = try await requests.verification.verified(
            token, as: DeviceRequest.self, for: addressee, claims: \.claims)
        return (verified, try Self.device(addressee.name, verified.owner.target))
    }

    /// The device of the path; throws ``ServerError/signatureInvalid`` when another one has signed.
    private static func device(_ name: String?, _ target: DispatchTarget) throws(ServerError) -> DeviceID {
        guard let device = name.flatMap(DeviceID.init), target.deviceID == device else { throw .signatureInvalid }
        return device
    }

    /// Reads for a device, which is logged and not audited.
    private func read<Value: Sendable>(
        _ verified: DeviceRequestVerification.Verified<DeviceRequest>, _ client: ClientContext,
        _ body: @escaping DeviceRequestProcessor.Reading<Value>
    ) async throws(ServerError) -> Value {
        log.requested("DEVICE_READ", user: verified.owner.user.id, client)
        return try await requests.read(verified.request, body)
    }

    private func perform<Payload>(
        _ verified: DeviceRequestVerification.Verified<Payload>, _ kind: AuditEvent.Kind, _ client: ClientContext,
        _ body: @escaping DeviceRequestProcessor.Change<Void>
    ) async throws(ServerError) {
        let event = AuditEvent(kind, at: clock.now(), client: client).about(verified.owner.user)
        try await requests.apply(verified.request, event, body)
    }

    private func entry(_ operation: OutOfBandCeremony) -> PendingOperations.Entry? {
        guard let content = contentSeal.open(operation.sealedContent, for: operation.id),
            let target = operation.targetID, let dispatch = operation.dispatch
        else { return nil }
        return PendingOperations.Entry(
            dispatchTargetID: target.text, creationTime: operation.createdAt.milliseconds,
            dispatcher: dispatch.dispatcher, additionalInformation: dispatch.notification,
            payload: OutOfBandEnvelope(.plain(content)))
    }

    /// The answer that only the device can open; throws ``ServerError/forbidden`` when it has given us no key.
    private func sealed(_ answer: some MessageBody, for target: DispatchTarget) throws(ServerError) -> String {
        guard let key = target.encryptionKey else { throw .forbidden }
        guard let token = try? CompactJWE.seal(answer.body, to: key.jwk, contentType: "application/json") else {
            throw .sealingFailed
        }
        return token
    }
}

extension ApplyDeviceChange.Account {
    fileprivate var shown: DeviceCredentials.Account {
        DeviceCredentials.Account(
            username: user.name,
            target: DeviceCredentials.Target(
                id: target.id.text, name: target.name, dispatcher: target.dispatcher, destination: target.destination),
            credentials: credentials.map {
                DeviceCredentials.Credential($0.id, state: $0.status == .active ? .active : .locked)
            }, unassigned: unassigned)
    }
}
