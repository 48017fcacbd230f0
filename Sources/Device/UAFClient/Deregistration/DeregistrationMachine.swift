import BackendAPI
import UAF

/// State machine of a deregistration (FIDO UAF Protocol 1.1 section 3.6.4).
package struct DeregistrationMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Void, CeremonyFailure>

    /// Keys to remove, and the scope of their server.
    private struct Target {
        let username: UserName
        let credentials: [CredentialID]
        let scope: ServerScope
        let device: DeviceSnapshot
    }

    private enum State {
        /// The keys of the device are being read.
        case loading(UserName)
        /// The server has been asked to forget the keys.
        case requesting(Target)
        /// The device has asked the server to forget the keys.
        case askingByDevice(Target, Petition)
        /// The server has deleted the keys; the facet list of its request is being checked.
        case checkingFacet(Target, DeregistrationRequest)
        case removing
    }

    private let parameters: Parameters
    private var aaid: AAID? { parameters.aaid.flatMap { AAID($0) } }
    private var progress = Progress<State, Effect, Void, CeremonyFailure>()

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, CeremonyFailure> {
        guard progress.isIdle else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let username = try AccountName.required(parameters.username)
            guard (parameters.aaid == nil) == (aaid == nil) else {
                throw .wrongUse(CeremonyFault.invalidParameter("aaid"))
            }
            return progress.enter(.loading(username), .loadDevice)
        } catch {
            return progress.fail(error)
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, CeremonyFailure> {
        guard let state = progress.state else { return progress.stay(event.failure) }
        return switch state {
        case .loading(let username): afterLoading(username, event)
        case .requesting(let target): afterRequest(target, event)
        case .askingByDevice(let target, let petition): afterPetition(target, petition, event)
        case .checkingFacet(let target, let request): afterFacet(target, request, event)
        case .removing: afterRemoval(event)
        }
    }

    private mutating func afterLoading(_ username: UserName, _ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(event.failure) }
        guard let scope = device.home(of: username) else { return afterDeletion(username, device) }
        let server = scope.server
        let keys = scope.of(username).visibleKeys.filter { aaid == nil || $0.id.aaid == aaid }
        guard !keys.isEmpty else { return progress.finish(.success(())) }
        guard server.isSecure else { return progress.fail(.network(CeremonyFault.insecureAddress)) }
        let target = Target(username: username, credentials: keys.map(\.id), scope: scope, device: device)
        if parameters.authorization == .device { return petition(target) }
        return progress.enter(.requesting(target), .fetchRequest(username, server, target.credentials))
    }

    // MARK: - By the device

    /// Removal that the device requests, with the signers still to try should the first not be accepted.
    private struct Petition {
        let removal: DeviceRemoval
        let deviceID: DeviceID
        var signers: [DeviceSnapshot.Target]
        /// Refusal of the question without an authorization; nil where there was none.
        let denial: CeremonyFailure?
    }

    /// The user has no keys here any more: the device tells the server of those that were deleted here only.
    private mutating func afterDeletion(_ username: UserName, _ device: DeviceSnapshot) -> Next {
        let departed = device.departed.first { $0.target.username == username }
        guard parameters.authorization == .device, let departed, departed.target.server.isSecure else {
            return progress.finish(.success(()))
        }
        let target = Target(
            username: username, credentials: [], scope: device.scope(at: departed.target.server), device: device)
        return petition(target)
    }

    private mutating func petition(_ target: Target, after denial: CeremonyFailure? = nil) -> Next {
        let signers = target.device.signers(at: target.scope.server, preferring: target.username)
        guard let deviceID = target.device.deviceID(at: target.scope.server) else {
            return progress.fail(denial ?? .unknownToServer(cause: nil))
        }
        let removal = DeviceRemoval(credentials: [DeviceChange.Removal(username: target.username, aaid: aaid)])
        let petition = Petition(removal: removal, deviceID: deviceID, signers: signers, denial: denial)
        return sign(target, petition, refusal: nil)
    }

    private mutating func sign(_ target: Target, _ petition: Petition, refusal: DeviceRefusal?) -> Next {
        guard let signer = petition.signers.first else {
            return progress.fail(refusal?.failure ?? petition.denial ?? .unknownToServer(cause: nil))
        }
        return progress.enter(
            .askingByDevice(target, petition), .removeThere(petition.removal, petition.deviceID, signer))
    }

    private mutating func afterPetition(_ target: Target, _ petition: Petition, _ event: Event) -> Next {
        guard case .answer(let answer) = event else { return progress.fail(event.failure) }
        switch answer {
        case .done: return remove(target.credentials)
        case .refused(.notAccepted(let error)):
            var petition = petition
            petition.signers.removeFirst()
            // A server that knows nothing of this device any more has nothing left to forget.
            if petition.signers.isEmpty, parameters.aaid == nil { return remove(target.credentials) }
            return sign(target, petition, refusal: .notAccepted(error))
        case .refused(.unknown(let error)):
            if parameters.aaid == nil { return remove(target.credentials) }
            return progress.fail(.unknownToServer(cause: error))
        case .refused(.unsupported(let error)):
            return progress.fail(petition.denial ?? .unsupportedByServer(cause: error))
        case .refused(let refusal): return progress.fail(refusal.failure)
        }
    }

    // MARK: - By the user

    private mutating func afterRequest(_ target: Target, _ event: Event) -> Next {
        if case .unauthorized(let failure) = event {
            return parameters.authorization == .absent ? petition(target, after: failure) : progress.fail(failure)
        }
        guard case .request(let answer) = event else { return progress.fail(event.failure) }
        switch answer {
        case .request(let request, _):
            return progress.enter(.checkingFacet(target, request), .checkFacet(request.header))
        // The server has nothing left of what was asked for, so nothing is left to keep here either.
        case .nothingToDo: return remove(target.credentials)
        case .refused, .unreachable: return progress.fail(answer.failure)
        }
    }

    private mutating func afterFacet(_ target: Target, _ request: DeregistrationRequest, _ event: Event) -> Next {
        guard case .facet(let verdict) = event else { return progress.fail(event.failure) }
        guard case .trusted(let facet) = verdict else { return progress.fail(verdict.failure) }
        let named = target.scope.keysToForget(request, by: facet, for: target.username)
        let others = named.filter { !target.credentials.contains($0) }
        return remove(target.credentials + others)
    }

    private mutating func remove(_ credentials: [CredentialID]) -> Next {
        progress.enter(.removing, .remove(credentials))
    }

    private mutating func afterRemoval(_ event: Event) -> Next {
        if case .done = event { return progress.finish(.success(())) }
        return progress.fail(event.failure)
    }
}
