import BackendAPI
import JOSE
import ServerCore

/// The dispatch target that a registration brings along, after the phone has proved that the target's key is its own.
struct TargetAttachment {
    /// Target that the transaction of the registration makes or finds.
    let link: TargetLink
    let identifiers: CreatedDispatchTarget
}

/// Verification of the proof that comes with the dispatch target of a registration.
final class TargetAttachmentVerification: Sendable {
    private static let addressee = DeviceRequestVerification.Addressee(endpoint: .registrationResponse)

    private let settings: OutOfBandSettings
    private let rules: DispatchTargetRules
    private let verification: DeviceRequestVerification

    init(settings: OutOfBandSettings, rules: DispatchTargetRules, verification: DeviceRequestVerification) {
        self.settings = settings
        self.rules = rules
        self.verification = verification
    }

    /// Verifies the proof of a proposal.
    ///
    /// `challengeHash` ties it to this one answer. Throws ``ServerError/signatureInvalid`` and the other errors of
    /// `DeviceRequestVerification`, ``ServerError/clockSkewTooBig`` among them, and what
    /// `DispatchTargetRules.newTarget` throws.
    func attachment(
        _ proposal: DispatchTargetProposal, of userID: UserID, challengeHash: [UInt8]
    ) async throws(ServerError) -> TargetAttachment {
        switch proposal {
        case .new(let proposed, let proof):
            // An application that has a push token cannot know whether this server pushes: that is no reason to refuse
            // its registration.
            let dispatcher = proposed.dispatcher.flatMap { rules.dispatchers.current[$0]?.name }
            let target = try rules.newTarget(proposed, of: userID, dispatcher: dispatcher)
            try requireProof(proof, of: proposed, target, challengeHash)
            return TargetAttachment(
                link: .new(target, limit: settings.maximumTargetCount), identifiers: target.identifiers)
        case .existing(let device, let proof):
            let (target, request) = try await existing(device, proof, challengeHash)
            guard target.userID == userID else { throw .signatureInvalid }
            return TargetAttachment(link: .existing(request), identifiers: target.identifiers)
        }
    }

    /// The proof of a new target has no clock: the challenge makes it fresh.
    private func requireProof(
        _ token: String, of proposed: NewDispatchTarget, _ target: DispatchTarget, _ challengeHash: [UInt8]
    ) throws(ServerError) {
        let addresses = Self.addressee.addresses(at: settings.origin)
        guard let jws = try? CompactJWS(parsing: token),
            let verified = try? jws.verified(byDevice: target.signatureKey),
            let proof = try? DispatchTargetProof(body: verified.payload), proof.claims == nil,
            proof.statement == DispatchTargetProof.Statement(of: proposed), proof.challengeHash == challengeHash,
            addresses.contains(where: { $0.utf8.elementsEqual(proof.audience.utf8) })
        else { throw .signatureInvalid }
    }

    /// The proof of a target that is there is a signed request like any other, signed with the key that we know.
    private func existing(
        _ device: DeviceID, _ token: String, _ challengeHash: [UInt8]
    ) async throws(ServerError) -> (DispatchTarget, SignedRequest) {
        let empty = DeviceClaims(dispatchTargetID: "", requestID: "", creationTime: 0, audience: nil, method: nil)
        let verified = try await verification.verified(
            token, as: DispatchTargetProof.self, for: Self.addressee, claims: { $0.claims ?? empty })
        let (target, proof) = (verified.owner.target, verified.payload)
        let statement = DispatchTargetProof.Statement(
            existingOn: device, signatureKeyThumbprint: JWKThumbprint(of: target.signatureKey.jwk).text)
        guard target.deviceID == device, proof.statement == statement, proof.challengeHash == challengeHash else {
            throw .signatureInvalid
        }
        return (target, verified.request)
    }
}
