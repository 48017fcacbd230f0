import BackendAPI
import JOSE
import UAF
import UAFClient

/// Dispatch target for a device that registers, with the proof of possession of its key.
struct DispatchTargetOffer: Sendable {
    private let environment: ClientEnvironment
    private let resource: BackendResource

    init(_ environment: ClientEnvironment, _ resource: BackendResource) {
        self.environment = environment
        self.resource = resource
    }

    /// Proposal sent with a registration response: a new target, or the proof for the one that the account has already.
    func proposal(
        for response: RegistrationResponse, of username: UserName, _ fresh: DeviceInformation?
    ) async throws(CeremonyFailure) -> DispatchTargetProposal {
        let device = try await environment.store.prepareDevice(for: resource.server, fresh)
        let keys = try DeviceKeySet(device.keys)
        let hash = response.finalChallenge.hash
        let targets = try await environment.store.snapshot().targets(at: resource.server)
        guard let known = targets.first(where: { $0.username == username }) else {
            return try await proposal(of: try NewDispatchTarget(device.information, keys), hash)
        }
        return try await proposal(of: known, try device.information.requiredID(), keys, hash)
    }

    private func proposal(
        of target: NewDispatchTarget, _ hash: [UInt8]
    ) async throws(CeremonyFailure) -> DispatchTargetProposal {
        let proof = DispatchTargetProof(of: target, challengeHash: hash, audience: try resource.audience())
        return .new(target, proof: try await signature.sign(proof, keyID: nil))
    }

    private func proposal(
        of known: DeviceSnapshot.Target, _ deviceID: DeviceID, _ keys: DeviceKeySet, _ hash: [UInt8]
    ) async throws(CeremonyFailure) -> DispatchTargetProposal {
        let claims = signature.claims(of: known.identifier, for: .post, at: try resource.audience())
        let proof = DispatchTargetProof(
            existingOn: deviceID, signatureKeyThumbprint: JWKThumbprint(of: keys.signing).text, challengeHash: hash,
            claims: claims)
        return .existing(deviceID, proof: try await signature.sign(proof, keyID: known.identifier))
    }

    private var signature: DeviceSignature { DeviceSignature(environment: environment, server: resource.server) }
}

extension NewDispatchTarget {
    init(_ information: DeviceInformation, _ keys: DeviceKeySet) throws(CeremonyFailure) {
        guard let name = DeviceName(information.name) else {
            throw .wrongUse(InvalidParameterError("deviceInformation"))
        }
        let destination = information.fcmRegistrationToken.flatMap { PushDestination($0) }
        self.init(
            name: name, deviceID: try information.requiredID(), destination: destination,
            dispatcher: destination.map { _ in .firebaseCloudMessaging }, signatureKey: keys.signing,
            encryptionKey: keys.agreement)
    }
}

extension DeviceInformation {
    /// Identifier of this installation, which the SDK makes before anything is sent.
    func requiredID() throws(CeremonyFailure) -> DeviceID {
        guard let id = deviceId.flatMap({ DeviceID($0) }) else {
            throw .wrongUse(InvalidParameterError("deviceInformation"))
        }
        return id
    }
}
