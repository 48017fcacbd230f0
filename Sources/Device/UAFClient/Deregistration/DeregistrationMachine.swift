package import BackendAPI
package import UAF

/// State machine of a deregistration (FIDO UAF Protocol 1.1 section 3.6.4).
package struct DeregistrationMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Void, CeremonyFailure>

    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        package var username: String?
        package var aaid: String?
        /// Whether the device itself asks, by a signed request, and not the user.
        package var usesDeviceSignature = false

        package init() {}
    }

    package enum Effect: OperationEffect {
        case loadDevice
        case fetchRequest(UserName, ServerAddress, [CredentialID])
        case checkFacet(OperationHeader)
        /// The device asks a server to forget keys; the record whose key signs comes last.
        case removeThere(DeviceRemoval, DeviceID, DeviceSnapshot.Target)
        case remove([CredentialID])

        package var outlivesCancellation: Bool {
            if case .remove = self { true } else { false }
        }
    }

    package enum Event: Sendable {
        case device(DeviceSnapshot)
        case request(RequestAnswer<DeregistrationRequest>)
        case facet(FacetVerdict)
        case answer(DeviceAnswer<Void>)
        /// The keys are gone.
        case done
        case failed(CeremonyFailure)
        case canceled
    }

    package typealias Output = Void
    package typealias Failure = CeremonyFailure
    package static var cancellation: Event { .canceled }

    /// Keys to remove, and the scope of their server.
    private struct Target {
        let username: UserName
        let credentials: [CredentialID]
        let scope: ServerScope
        let device: DeviceSnapshot
    }

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading(UserName, AAID?)
        /// The server has been asked to forget the keys.
        case requesting(Target)
        /// The device has asked the server to forget the keys.
        case askingByDevice(Target, Petition)
        /// The server has deleted the keys; the facet list of its request is being checked.
        case checkingFacet(Target, DeregistrationRequest)
        /// The keys are being deleted.
        case removing
        /// The end.
        case finished(Result<Void, CeremonyFailure>)
    }

    private let parameters: Parameters
    private var state = State.idle

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, CeremonyFailure> {
        guard case .idle = state else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let username = try AccountName.required(parameters.username)
            let aaid = parameters.aaid.flatMap { AAID($0) }
            guard (parameters.aaid == nil) == (aaid == nil) else { throw .wrongUse(CeremonyFault.invalidParameter("aaid")) }
            return enter(.loading(username, aaid), .loadDevice)
        } catch {
            return finish(.failure(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, CeremonyFailure> {
        switch state {
        case .idle: finish(.failure(failure(of: event)))
        case .loading(let username, let aaid): afterLoading(username, aaid, event)
        case .requesting(let target): afterRequest(target, event)
        case .askingByDevice(let target, let petition): afterPetition(target, petition, event)
        case .checkingFacet(let target, let request): afterFacet(target, request, event)
        case .removing: afterRemoval(event)
        case .finished(let result): .finish(result)
        }
    }

    private mutating func afterLoading(_ username: UserName, _ aaid: AAID?, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(failure(of: event))) }
        guard let scope = device.home(of: username) else { return afterDeletion(username, aaid, device) }
        let server = scope.server
        let keys = scope.of(username).visibleKeys.filter { aaid == nil || $0.id.aaid == aaid }
        guard !keys.isEmpty else { return finish(.success(())) }
        guard server.isSecure else { return finish(.failure(.network(CeremonyFault.insecureAddress))) }
        let target = Target(username: username, credentials: keys.map(\.id), scope: scope, device: device)
        if parameters.usesDeviceSignature { return petition(target, aaid) }
        return enter(.requesting(target), .fetchRequest(username, server, target.credentials))
    }

    // MARK: - By the device

    /// Removal that the device requests, with the signers still to try should the first not be accepted.
    private struct Petition {
        let removal: DeviceRemoval
        let deviceID: DeviceID
        var signers: [DeviceSnapshot.Target]
    }

    /// The user has no keys here any more: the device tells the server of those that were deleted here only.
    private mutating func afterDeletion(_ username: UserName, _ aaid: AAID?, _ device: DeviceSnapshot) -> Next {
        let departed = device.departed.first { $0.target.username == username }
        guard parameters.usesDeviceSignature, let departed, departed.target.server.isSecure else {
            return finish(.success(()))
        }
        let target = Target(
            username: username, credentials: [], scope: device.scope(at: departed.target.server), device: device)
        return petition(target, aaid)
    }

    private mutating func petition(_ target: Target, _ aaid: AAID?) -> Next {
        let signers = target.device.signers(at: target.scope.server, preferring: target.username)
        guard let deviceID = target.device.deviceID else {
            return finish(.failure(.unknownToServer(cause: nil)))
        }
        let removal = DeviceRemoval(credentials: [DeviceChange.Removal(username: target.username, aaid: aaid)])
        return sign(target, Petition(removal: removal, deviceID: deviceID, signers: signers), refusal: nil)
    }

    private mutating func sign(_ target: Target, _ petition: Petition, refusal: DeviceRefusal?) -> Next {
        guard let signer = petition.signers.first else {
            return finish(.failure(refusal?.failure ?? .unknownToServer(cause: nil)))
        }
        return enter(
            .askingByDevice(target, petition), .removeThere(petition.removal, petition.deviceID, signer))
    }

    private mutating func afterPetition(_ target: Target, _ petition: Petition, _ event: Event) -> Next {
        guard case .answer(let answer) = event else { return finish(.failure(failure(of: event))) }
        switch answer {
        case .done: return enter(.removing, .remove(target.credentials))
        case .refused(.notAccepted(let error)):
            var petition = petition
            petition.signers.removeFirst()
            // A server that knows nothing of this device any more has nothing left to forget.
            if petition.signers.isEmpty, parameters.aaid == nil { return enter(.removing, .remove(target.credentials)) }
            return sign(target, petition, refusal: .notAccepted(error))
        case .refused(.unknown(let error)):
            if parameters.aaid == nil { return enter(.removing, .remove(target.credentials)) }
            return finish(.failure(.unknownToServer(cause: error)))
        case .refused(let refusal): return finish(.failure(refusal.failure))
        }
    }

    // MARK: - By the user

    private mutating func afterRequest(_ target: Target, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(failure(of: event))) }
        switch answer {
        case .request(let request, _):
            return enter(.checkingFacet(target, request), .checkFacet(request.header))
        // The server has nothing left of what was asked for, so nothing is left to keep here either.
        case .nothingToDo: return enter(.removing, .remove(target.credentials))
        case .refused, .unreachable: return finish(.failure(answer.failure))
        }
    }

    private mutating func afterFacet(_ target: Target, _ request: DeregistrationRequest, _ event: Event) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(failure(of: event))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(verdict.failure)) }
        let named = target.scope.keysToForget(request, by: facet, for: target.username)
        let others = named.filter { !target.credentials.contains($0) }
        return enter(.removing, .remove(target.credentials + others))
    }

    private mutating func afterRemoval(_ event: Event) -> Next {
        if case .done = event { return finish(.success(())) }
        return finish(.failure(failure(of: event)))
    }

    /// Failure for an event that does not advance the machine.
    private func failure(of event: Event) -> CeremonyFailure {
        switch event {
        case .failed(let failure): failure
        case .canceled: .canceled
        default: .fido(.unknown)
        }
    }

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func finish(_ result: Result<Void, CeremonyFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}
