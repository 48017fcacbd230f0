package import BackendAPI
import Crypto
package import JOSE
import Octets
package import ServerCore
package import UAF

/// App installation with the two keys of its dispatch targets; it signs requests, and decrypts payloads.
package struct SyntheticDevice: Sendable {
    /// Device ID of the installation.
    package let id: DeviceID
    private let signing = P256.Signing.PrivateKey()
    private let agreement = P256.KeyAgreement.PrivateKey()

    /// Failure of the test setup.
    package struct Fault: Error {}

    /// Device with new keys.
    package init(_ id: String = "org.signet.demo#1") throws {
        guard let id = DeviceID(id) else { throw Fault() }
        self.id = id
    }

    /// Public key that verifies the device's signatures.
    package var signatureKey: JWK {
        get throws { try JWK(verifying: Self.material(signing.publicKey.rawRepresentation)) }
    }

    /// Public key that encrypts for the device.
    package var encryptionKey: JWK {
        get throws { try JWK(encrypting: Self.material(agreement.publicKey.rawRepresentation)) }
    }

    private static func material(_ point: some Collection<UInt8>) -> JWK.Material {
        .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32)))
    }

    /// Proposal of a dispatch target for this device.
    package func target(
        named name: String = "Jeff's phone", pushToken: String? = "push-token", isSealed: Bool = true
    ) throws -> NewDispatchTarget {
        guard let name = DeviceName(name) else { throw Fault() }
        return NewDispatchTarget(
            name: name, deviceID: id, destination: pushToken.flatMap { PushDestination($0) },
            dispatcher: .firebaseCloudMessaging, signatureKey: try signatureKey,
            encryptionKey: isSealed ? try encryptionKey : nil)
    }

    /// Request of the device itself to create a target, with the proof that it holds the key.
    package func creation(
        of target: NewDispatchTarget, username: UserName? = nil, at origin: String
    ) throws -> DispatchTargetCreation {
        let endpoint = Endpoint.createDispatchTarget
        let proof = DispatchTargetCreationProof(
            of: target, username: username, audience: origin + Endpoint.serviceRoot + endpoint.path)
        return DispatchTargetCreation(target, username: username, proof: try signed(proof))
    }

    /// Compact JWS over a payload.
    package func signed(_ payload: some MessageBody, algorithm: JWSAlgorithm = .es256) throws -> String {
        let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: algorithm), payload: payload.body)
        return unsigned.signed(with: Array(try signing.signature(for: unsigned.signingInput).rawRepresentation))
    }

    /// Plaintext of a compact JWE.
    package func opened(_ token: String) throws -> [UInt8] {
        let jwe = try CompactJWE(parsing: token)
        let point = try P256.KeyAgreement.PublicKey(x963Representation: jwe.ephemeralKey)
        let secret = try agreement.sharedSecretFromKeyAgreement(with: point)
        return try jwe.open(agreedSecret: SecretOctets(copying: secret.withUnsafeBytes { Array($0) }))
    }

    /// Content of a parcel, decrypted when it is encrypted.
    package func content(of parcel: DispatchPayload) throws -> OutOfBandContent {
        let envelope = try OutOfBandEnvelope(body: Array(parcel.envelope.text.utf8))
        switch envelope.content {
        case .plain(let content): return content
        case .encrypted(let token): return try OutOfBandContent(body: opened(token))
        }
    }
}
