package import BackendAPI
package import UAF

/// One step of a repair.
package enum DeviceRepair: Hashable, Sendable {
    /// The server forgets credentials and records of this device.
    case removeThere(DeviceRemoval, DeviceID, DeviceSnapshot.Target)
    case changeThere(DeviceSnapshot.Target, DispatchTargetUpdate)
    /// This device forgets credentials of a server.
    case removeHere([CredentialID], ServerAddress)
    case changeHere([DeviceRecordChange], ServerAddress)

    package var server: ServerAddress {
        switch self {
        case .removeThere(_, _, let signer): signer.server
        case .changeThere(let target, _): target.server
        case .removeHere(_, let server), .changeHere(_, let server): server
        }
    }
}

/// Plan of a repair: steps for the mismatches that were named, as far as they still exist.
package struct DeviceRepairPlan {
    package private(set) var repairs: [DeviceRepair] = []
    private let device: DeviceSnapshot
    private let named: Set<DeviceMismatch>

    package init(_ named: [DeviceMismatch], _ round: ServerFanOut<DeviceCredentials>) {
        device = round.device ?? DeviceSnapshot(models: [], credentials: [], record: nil)
        self.named = Set(named)
        for answer in round.answers { plan(answer) }
    }

    private mutating func plan(_ answer: ServerFanOut<DeviceCredentials>.Answer) {
        let comparison = DeviceComparison(device, answer.signer.server, answer.body)
        let findings = comparison.findings.filter { named.contains(comparison.mismatch($0)) }
        var removal = DeviceRemoval()
        var local: [DeviceRecordChange] = []
        var credentials: [CredentialID] = []
        var changes: [DeviceRepair] = []
        for finding in findings {
            switch finding {
            case .credentialOnlyThere(let id, let username):
                removal.credentials.append(
                    DeviceChange.Removal(username: username, aaid: id.aaid, keyID: id.keyID))
            case .credentialOnlyHere(let id, _): credentials.append(id)
            case .targetOnlyThere(let identifier, let username):
                if let link = adoptable(identifier, username, answer.signer.server) {
                    local.append(.remember(link))
                } else {
                    removal.targetIDs.append(identifier)
                }
            case .targetOnlyHere(let identifier, let username):
                local.append(.forget(DeviceRecord.Link(identifier: identifier, username: username.text)))
            // The name is this device's: what a server calls it goes to no other server, and nothing changes here.
            case .name(_, let name, let targets):
                guard let name = DeviceName(name) else { continue }
                changes += targets.map { .changeThere($0, DispatchTargetUpdate(name: name)) }
            case .pushToken(_, let token, let targets):
                let destination = token.flatMap { PushDestination($0) } ?? .disabledByUser
                changes += targets.map { .changeThere($0, DispatchTargetUpdate(destination: destination)) }
            }
        }
        let server = answer.signer.server
        if !removal.isEmpty { repairs.append(.removeThere(removal, answer.body.deviceID, answer.signer)) }
        // After the removal: a record that goes may have the name.
        repairs += changes
        if !local.isEmpty { repairs.append(.changeHere(local, server)) }
        if !credentials.isEmpty { repairs.append(.removeHere(credentials, server)) }
    }

    /// The record of an account of this device that has none: its answer was lost.
    private func adoptable(
        _ identifier: String, _ username: UserName, _ server: ServerAddress
    ) -> DeviceRecord.Link? {
        let isAccount = !device.scope(at: server).of(username).visibleKeys.isEmpty
        let hasRecord = device.targets(at: server).contains { $0.username == username }
        guard isAccount, !hasRecord else { return nil }
        return DeviceRecord.Link(identifier: identifier, username: username.text)
    }
}

extension DeviceRepair: OperationEffect {
    /// True for changes of this device: they follow what a server has done already.
    package var outlivesCancellation: Bool {
        switch self {
        case .removeHere, .changeHere: true
        case .removeThere, .changeThere: false
        }
    }
}

/// State machine of a repair: every step is tried, whatever the result of the others.
package struct DeviceRepairMachine: OperationMachine, ~Copyable {
    package enum Event: OperationEvent {
        case answer(DeviceAnswer<Void>)
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .answer: nil
            case .failed(let failure): failure
            case .canceled: .canceled
            }
        }
    }

    package typealias Effect = DeviceRepair
    package typealias Output = [ServerFanOut<Void>.Refusal]
    package typealias Failure = Never

    private var waiting: [DeviceRepair]
    private var current: DeviceRepair?
    private var refusals: [ServerFanOut<Void>.Refusal] = []

    package init(_ repairs: [DeviceRepair]) { waiting = repairs }

    package mutating func start() -> Step<Effect, [ServerFanOut<Void>.Refusal], Never> { next() }

    package mutating func resume(_ event: Event) -> Step<Effect, [ServerFanOut<Void>.Refusal], Never> {
        guard let repair = current else { return .finish(.success(refusals)) }
        switch event {
        case .answer(.done): break
        case .answer(.refused(let refusal)): refusals.append(.init(server: repair.server, refusal: refusal))
        case .failed, .canceled: refusals.append(.init(server: repair.server, refusal: .failed(event.failure)))
        }
        return next()
    }

    private mutating func next() -> Step<Effect, [ServerFanOut<Void>.Refusal], Never> {
        current = waiting.isEmpty ? nil : waiting.removeFirst()
        return current.map { .perform($0) } ?? .finish(.success(refusals))
    }
}
